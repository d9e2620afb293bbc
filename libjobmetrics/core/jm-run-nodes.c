/* jm-run-nodes.c: on which nodes a run ran, by its scheduler's accounting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-run-nodes-private.h"

#include <gio/gio.h>
#include <string.h>

#include "base/jm-node-list-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-private.h"

#define MAX_NODES 65536

/* Slurm has `None assigned` and `(null)` where there are none; a list that is longer
 * than its column is cut. */
static char **
expand (const JmRun *run)
{
  const char *text = run->texts[JM_RUN_FIELD_NODE_LIST];

  if (text == NULL ||
      run->sources[JM_RUN_FIELD_NODE_LIST] != '0' + JM_RUN_SOURCE_ACCOUNTING ||
      strpbrk (text, " (") != NULL ||
      (gint64) strlen (text) + 4 > jm_run_field_get_max (JM_RUN_FIELD_NODE_LIST))
    return NULL;

  return jm_node_list_expand (text, MAX_NODES);
}

GHashTable *
jm_run_nodes_list (const JmRun *run)
{
  g_autoptr (GHashTable) nodes = NULL;
  g_auto (GStrv) names = expand (run);

  if (names == NULL)
    return NULL;
  nodes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; names[i] != NULL; i++)
    if (g_hostname_is_ip_address (names[i]))
      return NULL;
    else
      g_hash_table_add (nodes, jm_node_name_shorten (names[i]));

  return (gint64) g_hash_table_size (nodes) >=
             MAX (jm_run_peek (run, JM_RUN_FIELD_NODES), 1)
           ? g_steal_pointer (&nodes)
           : NULL;
}

gboolean
jm_run_nodes_has (GHashTable *nodes, const char *name)
{
  g_autofree char *its = jm_node_name_shorten (name);

  return g_hostname_is_ip_address (name) || g_hash_table_contains (nodes, its);
}

gboolean
jm_run_nodes_remove (GHashTable *nodes, const char *name)
{
  g_autofree char *its = jm_node_name_shorten (name);

  return g_hash_table_remove (nodes, its);
}

/* --- names of targets --- */

GHashTable *
jm_run_targets_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

char *
jm_run_targets_make_key (const char *cluster, const char *name)
{
  g_autofree char *its = jm_node_name_shorten (name);

  return g_strdup_printf ("%s/%s", cluster, its);
}

void
jm_run_targets_add (GHashTable *targets, const char *cluster, const char *name)
{
  if (!g_hostname_is_ip_address (name))
    g_hash_table_add (targets, jm_run_targets_make_key (cluster, name));
}

gboolean
jm_run_targets_has (GHashTable *targets, const char *cluster, const char *name)
{
  g_autofree char *target = jm_run_targets_make_key (cluster, name);

  return g_hash_table_contains (targets, target);
}

gboolean
jm_run_targets_has_any (GHashTable *targets, const char *cluster, GHashTable *nodes)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, nodes);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (jm_run_targets_has (targets, cluster, name))
      return TRUE;

  return FALSE;
}
