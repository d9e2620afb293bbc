/* jm-ceems-stats.c: how many jobs, users and projects there are, in CEEMS' words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/dialects/jm-ceems-figures-private.h"
#include "archive/dialects/jm-ceems-runs-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-usage-private.h"

/* Of a cluster; sets are of names. */
typedef struct
{
  guint64 n_ended;
  guint64 n_active;
  GHashTable *projects;
  GHashTable *users;
} Count;

static gpointer
make_names (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static void
count_free (gpointer data)
{
  Count *count = data;

  g_hash_table_unref (count->projects);
  g_hash_table_unref (count->users);
  g_free (count);
}

static Count *
find (GHashTable *counts, const char *cluster)
{
  Count *count = g_hash_table_lookup (counts, cluster);

  if (count == NULL)
    {
      count = g_new0 (Count, 1);
      count->projects = make_names ();
      count->users = make_names ();
      g_hash_table_insert (counts, g_strdup (cluster), count);
    }

  return count;
}

static void
add_name (GHashTable *names, const char *name)
{
  if (name != NULL && *name != '\0' && !g_hash_table_contains (names, name))
    g_hash_table_add (names, g_strdup (name));
}

/* --- what is counted --- */

static gboolean
add_run (JmRun *run, gpointer counts)
{
  Count *count = find (counts, jm_run_get_cluster (run));
  gint64 end;

  if (jm_run_get_number (run, JM_RUN_FIELD_END_TIME, &end) && end > 0)
    count->n_ended++;
  else
    count->n_active++;
  add_name (count->projects, jm_run_peek_text (run, JM_RUN_FIELD_ACCOUNT));
  add_name (count->users, jm_run_peek_text (run, JM_RUN_FIELD_USER));

  return TRUE;
}

static void
add_usage (GHashTable *counts, JmUsage *usage)
{
  Count *count = find (counts, jm_usage_get_cluster (usage));

  count->n_ended += (guint64) jm_usage_get_amount (usage, JM_USAGE_QUANTITY_RUNS);
  add_name (count->projects, jm_usage_get_account (usage));
  add_name (count->users, jm_usage_get_user (usage));
}

/* Sums have those that go on, too. */
static void
take_active_off (GHashTable *counts)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Count *count = value;

      count->n_ended -= MIN (count->n_active, count->n_ended);
    }
}

static gboolean
count_window (JmCeemsAnswer *self, GHashTable *counts, GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_ceems_answer_make_filter (self, FALSE);

  self->query.running = TRUE;
  g_clear_pointer (&self->query.uuids, g_strfreev);

  return jm_ceems_visit_runs (self, filter, add_run, counts, error);
}

static gboolean
count_all (JmCeemsAnswer *self, GHashTable *counts, GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_ceems_answer_make_filter (self, FALSE);
  g_autoptr (GPtrArray) usages = jm_ceems_list_sums (self, filter, FALSE, error);

  for (guint i = 0; usages != NULL && i < usages->len; i++)
    add_usage (counts, usages->pdata[i]);
  if (usages == NULL || !jm_ceems_visit_active (self, filter, add_run, counts, error))
    return FALSE;
  take_active_off (counts);

  return TRUE;
}

/* --- counts --- */

static void
append_count (JmCeemsAnswer *self, const char *cluster, const Count *count)
{
  JmJsonWriter json = { .out = self->text };

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_add_known_text (&json, "cluster_id", cluster);
  jm_json_writer_add_known_text (&json, "resource_manager",
                                 jm_ceems_find_manager (self->view.site, cluster));
  jm_json_writer_add_int (&json, "num_units",
                          (gint64) (count->n_ended + count->n_active));
  jm_json_writer_add_int (&json, "num_inactive_units", (gint64) count->n_ended);
  jm_json_writer_add_int (&json, "num_active_units", (gint64) count->n_active);
  jm_json_writer_add_int (&json, "num_projects", g_hash_table_size (count->projects));
  jm_json_writer_add_int (&json, "num_users", g_hash_table_size (count->users));
  jm_json_writer_end_object (&json);
}

static void
append_counts (JmCeemsAnswer *self, GHashTable *counts)
{
  g_autoptr (GList) clusters =
    g_list_sort (g_hash_table_get_keys (counts), (GCompareFunc) g_strcmp0);

  for (GList *cluster = clusters; cluster != NULL; cluster = cluster->next)
    append_count (self, cluster->data, g_hash_table_lookup (counts, cluster->data));
}

gboolean
jm_ceems_append_counts_of_window (JmCeemsAnswer *self, GError **error)
{
  g_autoptr (GHashTable) counts =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, count_free);

  if (!count_window (self, counts, error))
    return FALSE;
  append_counts (self, counts);

  return TRUE;
}

gboolean
jm_ceems_append_all_counts (JmCeemsAnswer *self, GError **error)
{
  g_autoptr (GHashTable) counts =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, count_free);

  if (!count_all (self, counts, error))
    return FALSE;
  append_counts (self, counts);

  return TRUE;
}
