/* jme-server-check.c: whether the server could do its work
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-server-check.h"

#include "collect/jm-intake.h"
#include "core/jm-error.h"
#include "report/advice/jm-run-rules.h"
#include "server/jme-node-ledgers.h"

/* Whether it is well, which it is without an error: then @word is told. */
static gboolean
tell (const char *about, const GError *error, const char *word)
{
  g_print ("%s: %s\n", about, error != NULL ? error->message : word);

  return error == NULL;
}

/* A file that is not there yet is made at the first start, in a folder that is there.
 */
static gboolean
can_be_made (const char *uri, const GError *error)
{
  g_autofree char *folder = g_path_get_dirname (uri);

  return g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT) &&
         g_path_is_absolute (uri) && g_file_test (folder, G_FILE_TEST_IS_DIR);
}

static gboolean
check_store (const char *uri, JmJobStore **opened)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmJobStore) store = jm_job_store_open_for_reading (uri, &error);

  if (store == NULL && can_be_made (uri, error))
    {
      g_print ("server.store: none yet, it is made at the first start\n");
      return TRUE;
    }
  if (store != NULL)
    jm_job_store_check (store, &error);
  if (store != NULL && error == NULL)
    *opened = g_object_ref (store);

  return tell ("server.store", error, "ok");
}

static gboolean
check_histories (const char *const *specifications)
{
  gboolean is_well = TRUE;

  for (; specifications != NULL && *specifications != NULL; specifications++)
    {
      g_autoptr (GError) error = NULL;
      G_GNUC_UNUSED g_autoptr (JmHistory) history =
        jm_intake_open_history (*specifications, &error);

      is_well &= tell (*specifications, error, "opened, and not read");
    }

  return is_well;
}

static gboolean
tell_nodes (const GPtrArray *failed, guint n_nodes, guint n_unasked)
{
  for (guint i = 0; i < failed->len; i++)
    g_print ("%s\n", (const char *) failed->pdata[i]);
  if (n_unasked > 0)
    g_print ("nodes: %u of %u were not asked within a minute\n", n_unasked, n_nodes);
  g_print ("nodes: the ledgers of %u of %u can be read\n",
           n_nodes - failed->len - n_unasked, n_nodes);

  return failed->len == 0 && n_unasked == 0;
}

/* No failure: nodes that the site does not read may have run those jobs. */
static void
tell_unmatched (GHashTable *unmatched)
{
  GHashTableIter iter;
  gpointer cluster, problem;

  g_hash_table_iter_init (&iter, unmatched);
  while (g_hash_table_iter_next (&iter, &cluster, &problem))
    g_print ("cluster %s: %s\n", (const char *) cluster, (const char *) problem);
}

static gboolean
check_nodes (const JmSettings *settings, JmJobStore *store)
{
  g_autoptr (GError) error = NULL;
  JmeNodeLedgers *nodes = jme_node_ledgers_new (settings, &error);
  const char *name = nodes != NULL ? jme_node_ledgers_get_name (nodes) : "settings";
  gboolean is_well = TRUE;
  g_autoptr (GPtrArray) failed = NULL;
  g_autoptr (GHashTable) unmatched = NULL;
  guint n_nodes = 0, n_unasked = 0;

  if (name != NULL)
    {
      if (nodes != NULL)
        failed = jme_node_ledgers_check (nodes, store, &n_nodes, &n_unasked, &unmatched,
                                         &error);
      is_well = tell (name, error, "read");
      if (failed != NULL)
        is_well &= tell_nodes (failed, n_nodes, n_unasked);
      if (unmatched != NULL)
        tell_unmatched (unmatched);
    }
  g_clear_pointer (&nodes, jme_node_ledgers_free);

  return is_well;
}

/* A mistake in a rule costs that rule alone. */
static gboolean
check_rules (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRunRules) rules = jm_run_rules_new (host, &error);
  g_auto (GStrv) problems = rules != NULL ? jm_run_rules_list_problems (rules) : NULL;

  for (guint i = 0; problems != NULL && problems[i] != NULL; i++)
    g_print ("rules of advice: %s\n", problems[i]);

  return tell ("rules of advice", error, "read") && g_strv_length (problems) == 0;
}

int
jme_server_check (const JmSettings *settings, const char *uri)
{
  gboolean is_well = tell ("settings", NULL, "ok");
  g_autoptr (JmJobStore) store = NULL;

  is_well &= check_store (uri, &store);
  is_well &= check_histories (jm_settings_get_list (settings, "server.history"));
  is_well &= check_nodes (settings, store);
  is_well &= check_rules ();

  return is_well ? 0 : 1;
}
