/* jm-pull-targets.c: whose ledgers are read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/import/jm-pull-targets-private.h"

#include <string.h>

#include "archive/jm-archive-database-private.h"
#include "archive/jm-run-foreign-private.h"
#include "base/jm-bounded-read-private.h"
#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-nodes-private.h"
#include "io/jm-http-private.h"

/* Nodes of all clusters together. */
#define MAX_TARGETS 100000
#define LEDGER "/ledger"
#define DAY_SECONDS (24 * 3600)

static void
target_free (gpointer data)
{
  JmPullTarget *self = data;

  g_free (self->cluster);
  g_free (self->node);
  g_free (self->url);
  g_free (self);
}

static gboolean
refuse (const char *path, const char *what, const char *value, GError **error)
{
  g_autofree char *shown = value != NULL ? g_strescape (value, NULL) : NULL;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s%s%.64s", path, what,
               shown != NULL ? ": " : "", shown != NULL ? shown : "");

  return FALSE;
}

/* HOST:PORT, [IPV6]:PORT or HOST. */
static char *
find_host (const char *address)
{
  const char *end =
    *address == '[' ? strchr (address, ']') : address + strcspn (address, ":");

  if (*address == '[')
    address++;

  return end != NULL ? g_strndup (address, (gsize) (end - address)) : g_strdup ("");
}

/* What a URL would take for something else than a host and a port is none. */
static gboolean
is_address (const char *text)
{
  gsize length = text != NULL ? strlen (text) : 0;

  return length > 0 && length < 512 &&
         strspn (text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                       "0123456789.-_:[]") == length;
}

static gboolean
add_target (GPtrArray *targets,
            const char *path,
            JsonNode *labels,
            const char *address,
            GError **error)
{
  const char *cluster = jm_json_get_string (labels, "cluster");
  const char *node = jm_json_get_string (labels, "__meta_jobmetrics_node");
  const char *scheme = jm_json_get_string (labels, "__scheme__");
  JmPullTarget *target;

  if (!is_address (address))
    return refuse (path, "no HOST:PORT", address, error);
  if (cluster == NULL)
    return refuse (path, "a target without the label cluster", address, error);
  if (scheme != NULL && !g_str_equal (scheme, "http") && !g_str_equal (scheme, "https"))
    return refuse (path, "__scheme__ is neither http nor https", scheme, error);
  if (targets->len == MAX_TARGETS)
    return refuse (path, "more than 100000 targets", NULL, error);

  target = g_new0 (JmPullTarget, 1);
  target->cluster = g_strdup (cluster);
  target->node = node != NULL ? g_strdup (node) : find_host (address);
  target->url =
    g_strconcat (scheme != NULL ? scheme : "http", "://", address, LEDGER, NULL);
  g_ptr_array_add (targets, target);

  return TRUE;
}

static gboolean
add_group (GPtrArray *targets, const char *path, JsonNode *group, GError **error)
{
  JsonNode *labels = jm_json_get (group, "labels");
  JsonNode *addresses = jm_json_get (group, "targets");

  if (addresses == NULL || !JSON_NODE_HOLDS_ARRAY (addresses))
    return refuse (path, "a group without a list of targets", NULL, error);
  for (guint i = 0; i < jm_json_get_length (addresses); i++)
    {
      JsonNode *address = jm_json_get_element (addresses, i);
      gboolean is_text = JSON_NODE_HOLDS_VALUE (address) &&
                         json_node_get_value_type (address) == G_TYPE_STRING;

      if (!is_text)
        return refuse (path, "a target that is no text", NULL, error);
      if (!add_target (targets, path, labels, json_node_get_string (address), error))
        return FALSE;
    }

  return TRUE;
}

/* @root may be NULL. */
static GPtrArray *
list_targets (const char *name, JsonNode *root, GError **error)
{
  g_autoptr (GPtrArray) targets = g_ptr_array_new_with_free_func (target_free);

  if (root == NULL || !JSON_NODE_HOLDS_ARRAY (root))
    {
      refuse (name, "no list of targets, as file_sd_configs has it", NULL, error);
      return NULL;
    }
  for (guint i = 0; i < jm_json_get_length (root); i++)
    if (!add_group (targets, name, jm_json_get_element (root, i), error))
      return NULL;

  return g_steal_pointer (&targets);
}

GPtrArray *
jm_pull_targets_parse (const char *path, const char *text, gsize size, GError **error)
{
  g_autoptr (JsonNode) root =
    size <= JM_PULL_TARGETS_MAX_BYTES ? jm_json_parse (text, size) : NULL;

  return list_targets (path, root, error);
}

GPtrArray *
jm_pull_targets_read (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes =
    jm_bounded_read_file (path, JM_PULL_TARGETS_MAX_BYTES, error);
  gsize size;
  const char *text;

  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &size);

  return jm_pull_targets_parse (path, text, size, error);
}

GPtrArray *
jm_pull_targets_fetch (const JmLedgerClient *client,
                       const char *url,
                       GCancellable *cancellable,
                       GError **error)
{
  g_autofree char *shown = jm_http_get_shown_url (url);
  JmHttpRequest request = { .url = url,
                            .username = client->username,
                            .password = client->password,
                            .ca_file = client->ca_file,
                            .timeout_ms = client->timeout_ms,
                            .max_bytes = JM_PULL_TARGETS_MAX_BYTES };
  g_auto (JmHttpAnswer) answer = { 0 };

  if (client->password != NULL && !jm_http_check_url (url, error))
    return NULL;

  return jm_http_ask (&request, &answer, cancellable, error)
           ? list_targets (shown, answer.json, error)
           : NULL;
}

/* --- names that the accounting does not have --- */

static char *
describe_unmatched (const JmRun *run)
{
  return g_strdup_printf (
    "job %s ran on %s by the accounting, and no target has that name: records of such "
    "jobs are taken from every node. The label __meta_jobmetrics_node gives a target "
    "the scheduler's name of its node",
    run->raw_id, run->texts[JM_RUN_FIELD_NODE_LIST]);
}

GHashTable *
jm_pull_targets_find_unmatched (const GPtrArray *targets,
                                JmArchiveDatabase *store,
                                GError **error)
{
  g_autoptr (GHashTable) unmatched =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) names = jm_run_targets_new ();
  g_autoptr (GHashTable) clusters = g_hash_table_new (g_str_hash, g_str_equal);
  const gint64 since = g_get_real_time () / G_USEC_PER_SEC - DAY_SECONDS;
  JmSql *sql = jm_archive_database_get_sql (store, error);
  GHashTableIter iter;
  gpointer cluster;

  for (guint i = 0; i < targets->len; i++)
    {
      const JmPullTarget *target = targets->pdata[i];

      jm_run_targets_add (names, target->cluster, target->node);
      g_hash_table_add (clusters, target->cluster);
    }
  g_hash_table_iter_init (&iter, clusters);
  while (sql != NULL && g_hash_table_iter_next (&iter, &cluster, NULL))
    {
      GError *problem = NULL;
      g_autoptr (JmRun) run =
        jm_run_foreign_find_unmatched (sql, names, cluster, since, &problem);

      if (problem != NULL)
        {
          g_propagate_error (error, problem);
          return NULL;
        }
      if (run != NULL)
        g_hash_table_insert (unmatched, g_strdup (cluster), describe_unmatched (run));
    }

  return sql != NULL ? g_steal_pointer (&unmatched) : NULL;
}
