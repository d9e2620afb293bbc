/* jme-server-check.c: whether the server could do its work
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-server-check.h"

#include "collect/jm-intake.h"
#include "collect/jm-pull-targets-private.h"
#include "core/jm-error.h"
#include "sources/jm-secret-file-private.h"

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
check_store (const char *uri)
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
check_nodes (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) targets = NULL;

  if (path == NULL)
    return TRUE;
  targets = jm_pull_targets_read (path, &error);

  return tell ("server.nodes-file", error, "ok");
}

static gboolean
check_login (const char *path)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *username = NULL;
  g_autofree char *password = NULL;

  if (path == NULL)
    return TRUE;
  jm_secret_file_read_login (host, path, &username, &password, &error);

  return tell ("server.nodes-login-file", error, "ok");
}

int
jme_server_check (const JmSettings *settings, const char *uri)
{
  gboolean is_well = tell ("settings", NULL, "ok");

  is_well &= check_store (uri);
  is_well &= check_histories (jm_settings_get_list (settings, "server.history"));
  is_well &= check_nodes (jm_settings_get_text (settings, "server.nodes-file"));
  is_well &= check_login (jm_settings_get_text (settings, "server.nodes-login-file"));

  return is_well ? 0 : 1;
}
