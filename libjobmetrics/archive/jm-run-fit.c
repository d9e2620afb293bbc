/* jm-run-fit.c: waiting runs that would fit into what running ones leave unused
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-archive.h"

#include <math.h>

#include "base/jm-node-list-private.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-run-nodes-private.h"
#include "core/jm-run-private.h"

/* What a run uses in its first minutes says nothing. */
#define SETTLED_SECONDS 600
#define MAX_NODES 65536

/* Room:
 * @partitions: set of those of the runs on the node
 * @cpus, @memory_bytes: what these were given and do not use */
typedef struct
{
  char *cluster;
  GHashTable *partitions;
  double cpus;
  double memory_bytes;
} Room;

typedef struct
{
  GPtrArray *rooms;    /* of Room */
  GHashTable *by_node; /* the same, by cluster and node */
  GPtrArray *fitting;
  guint n_waiting;
} Fit;

static void
room_free (gpointer data)
{
  Room *self = data;

  g_free (self->cluster);
  g_hash_table_unref (self->partitions);
  g_free (self);
}

static double
get_number (JmRun *run, JmRunField field)
{
  return jm_run_derived_get_figure (run, field).value;
}

static const char *
get_partition (JmRun *run)
{
  const char *partition = jm_run_peek_text (run, JM_RUN_FIELD_PARTITION);

  return partition != NULL ? partition : "";
}

/* --- what is unused --- */

static Room *
find_room (Fit *self, JmRun *run, const char *node)
{
  g_autofree char *key = jm_run_targets_make_key (jm_run_get_cluster (run), node);
  Room *room = g_hash_table_lookup (self->by_node, key);

  if (room != NULL)
    return room;

  room = g_new0 (Room, 1);
  room->cluster = g_strdup (jm_run_get_cluster (run));
  room->partitions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_ptr_array_add (self->rooms, room);
  g_hash_table_insert (self->by_node, g_steal_pointer (&key), room);

  return room;
}

static gboolean
knows_use (JmRun *run)
{
  static const JmRunField fields[] = { JM_RUN_FIELD_CPUS, JM_RUN_FIELD_CPU_TOTAL,
                                       JM_RUN_FIELD_MEMORY_ALLOCATED,
                                       JM_RUN_FIELD_MEMORY_PEAK };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (!jm_run_derived_get_figure (run, fields[i]).is_known)
      return FALSE;

  return TRUE;
}

/* NULL where they are not known as a whole. */
static char **
list_nodes (JmRun *run)
{
  const char *text = jm_run_peek_text (run, JM_RUN_FIELD_NODE_LIST);
  g_auto (GStrv) nodes = text != NULL ? jm_node_list_expand (text, MAX_NODES) : NULL;

  return nodes != NULL && g_strv_length (nodes) > 0 &&
             g_strv_length (nodes) == get_number (run, JM_RUN_FIELD_NODES)
           ? g_steal_pointer (&nodes)
           : NULL;
}

/* An even part of it on each of the run's nodes. */
static void
add_running (JmRun *run, gpointer data)
{
  Fit *self = data;
  const double length =
    (double) (jm_run_get_until (run) - jm_run_peek (run, JM_RUN_FIELD_START_TIME));
  g_auto (GStrv) nodes = list_nodes (run);
  double n_nodes;

  if (nodes == NULL || length < SETTLED_SECONDS || !knows_use (run))
    return;

  n_nodes = g_strv_length (nodes);
  for (guint i = 0; nodes[i] != NULL; i++)
    {
      Room *room = find_room (self, run, nodes[i]);

      g_hash_table_add (room->partitions, g_strdup (get_partition (run)));
      room->cpus += MAX (get_number (run, JM_RUN_FIELD_CPUS) -
                           get_number (run, JM_RUN_FIELD_CPU_TOTAL) / length,
                         0) /
                    n_nodes;
      room->memory_bytes +=
        MAX (get_number (run, JM_RUN_FIELD_MEMORY_ALLOCATED) / n_nodes -
               get_number (run, JM_RUN_FIELD_MEMORY_PEAK),
             0);
    }
}

/* --- what waits --- */

/* Others would not begin whatever was free. */
static gboolean
waits_for_room (JmRun *run)
{
  static const char *const reasons[] = { "Resources", "Priority", "None", NULL };
  const char *reason = jm_run_derived_get_reason (run);

  return reason == NULL || g_strv_contains (reasons, reason);
}

/* Without accelerators, whose use by a run that goes on the archive does not have. */
static gboolean
can_fit (JmRun *run)
{
  return get_number (run, JM_RUN_FIELD_GPUS_REQUESTED) <= 0 &&
         get_number (run, JM_RUN_FIELD_CPUS) > 0 &&
         get_number (run, JM_RUN_FIELD_MEMORY_REQUESTED) > 0;
}

/* An even part of it on each of its nodes, in the first rooms that have that; these
 * then have it no more. FALSE, and nothing is taken, where there are too few. */
static gboolean
take_rooms (GPtrArray *rooms, JmRun *run)
{
  const double n_nodes = MAX (get_number (run, JM_RUN_FIELD_NODES), 1);
  const double cpus = ceil (get_number (run, JM_RUN_FIELD_CPUS) / n_nodes);
  const double memory = get_number (run, JM_RUN_FIELD_MEMORY_REQUESTED) / n_nodes;
  g_autoptr (GPtrArray) taken = g_ptr_array_new ();

  for (guint i = 0; i < rooms->len && taken->len < n_nodes; i++)
    {
      Room *room = rooms->pdata[i];

      if (room->cpus >= cpus && room->memory_bytes >= memory &&
          g_str_equal (room->cluster, jm_run_get_cluster (run)) &&
          g_hash_table_contains (room->partitions, get_partition (run)))
        g_ptr_array_add (taken, room);
    }
  if (taken->len < n_nodes)
    return FALSE;

  for (guint i = 0; i < taken->len; i++)
    {
      Room *room = taken->pdata[i];

      room->cpus -= cpus;
      room->memory_bytes -= memory;
    }

  return TRUE;
}

static void
add_waiting (JmRun *run, gpointer data)
{
  Fit *self = data;

  if (!jm_run_derived_is_waiting (run) || !waits_for_room (run))
    return;
  self->n_waiting++;
  if (can_fit (run) && take_rooms (self->rooms, run))
    g_ptr_array_add (self->fitting, jm_run_ref (run));
}

/**
 * jm_archive_list_fitting:
 * @self: an archive
 * @filter: of which runs; its states and order do not count
 * @n_waiting: (out) (optional): return location for how many runs wait for room
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Lists the waiting runs without accelerators that would fit into the CPUs and the
 * memory that running ones hold on nodes of the same partition and have not used so
 * far. One that asks for several nodes takes an even part on each. The first submitted
 * is placed first, and each takes its room from others.
 *
 * - Errors: those of jm_archive_read_runs().
 *
 * Returns: (transfer container) (element-type JmRun): the runs
 * Since: 0.1
 */
GPtrArray *
jm_archive_list_fitting (JmArchive *self,
                         JmRunFilter *filter,
                         guint *n_waiting,
                         GCancellable *cancellable,
                         GError **error)
{
  static const char *const running[] = { "RUNNING", NULL };
  static const char *const waiting[] = { "PENDING", NULL };
  g_autoptr (JmRunFilter) wanted = NULL;
  g_autoptr (GPtrArray) rooms = NULL;
  g_autoptr (GHashTable) by_node = NULL;
  g_autoptr (GPtrArray) fitting = NULL;
  Fit fit = { 0 };

  g_return_val_if_fail (JM_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (filter != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  rooms = g_ptr_array_new_with_free_func (room_free);
  by_node = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  fitting = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_unref);
  fit.rooms = rooms;
  fit.by_node = by_node;
  fit.fitting = fitting;
  wanted = jm_run_filter_copy (filter);
  jm_run_filter_set_sort (wanted, "submit", NULL);
  jm_run_filter_set_states (wanted, running);
  if (!jm_archive_read_runs (self, wanted, 0, add_running, &fit, cancellable, error))
    return NULL;
  jm_run_filter_set_states (wanted, waiting);
  if (!jm_archive_read_runs (self, wanted, 0, add_waiting, &fit, cancellable, error))
    return NULL;
  if (n_waiting != NULL)
    *n_waiting = fit.n_waiting;

  return g_steal_pointer (&fitting);
}
