/* jm-cluster-reservations.c: what nodes have, by the reservation they are in
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "cluster/jm-cluster-teller-private.h"

#include <string.h>

#include "base/jm-node-list-private.h"
#include "cluster/jm-cluster-tally-private.h"

/* In the lists of all reservations together. */
#define NODES_MAX 400000

typedef struct
{
  GHashTable *by_node; /* names of reservations, by that of a node */
  GHashTable *tallies; /* of JmNodeTally, by the reservation's name */
  guint max_names;
} Reserved;

static void
tally_free (gpointer data)
{
  jm_node_tally_clear (data);
  g_free (data);
}

static gboolean
is_active (const JmSchedulerReservation *reservation, gint64 now_us)
{
  gint64 now_s = now_us / G_USEC_PER_SEC;

  return reservation->name != NULL && reservation->node_list != NULL &&
         reservation->start_time > 0 && reservation->start_time <= now_s &&
         (reservation->end_time <= 0 || now_s < reservation->end_time);
}

/* The first that has a node keeps it. */
static void
add_list (Reserved *self, const JmSchedulerReservation *reservation)
{
  guint n_known = g_hash_table_size (self->by_node);
  g_autofree char **names =
    jm_node_list_expand (reservation->node_list, NODES_MAX - MIN (NODES_MAX, n_known));

  for (char **name = names; name != NULL && *name != NULL; name++)
    if (g_hash_table_contains (self->by_node, *name))
      g_free (*name);
    else
      g_hash_table_insert (self->by_node, *name, (gpointer) reservation->name);
}

static void
add_lists (Reserved *self, JmSchedulerReport *report, gint64 now_us)
{
  guint n = jm_scheduler_report_get_n_reservations (report);

  for (guint i = 0; i < n; i++)
    {
      const JmSchedulerReservation *reservation =
        jm_scheduler_report_get_reservation (report, i);

      if (is_active (reservation, now_us))
        add_list (self, reservation);
    }
}

static const char *
find_name (const Reserved *self, const JmSchedulerNode *node)
{
  const char *name = node->reservation;

  if (name == NULL && node->name != NULL)
    name = g_hash_table_lookup (self->by_node, node->name);

  return name != NULL ? name : JM_CLUSTER_NONE;
}

/* JM_CLUSTER_NONE has a place beside those with names. */
static JmNodeTally *
take_tally (Reserved *self, const char *name)
{
  JmNodeTally *tally = g_hash_table_lookup (self->tallies, name);

  if (tally != NULL)
    return tally;
  if (g_hash_table_size (self->tallies) > self->max_names &&
      !g_str_equal (name, JM_CLUSTER_NONE) && !g_str_equal (name, JM_CLUSTER_OTHER))
    return take_tally (self, JM_CLUSTER_OTHER);

  tally = g_new (JmNodeTally, 1);
  jm_node_tally_init (tally);
  g_hash_table_insert (self->tallies, (gpointer) name, tally);

  return tally;
}

/* Whether a node names its reservation itself. */
static gboolean
add_nodes (Reserved *self, JmSchedulerReport *report)
{
  guint n = jm_scheduler_report_get_n_nodes (report);
  gboolean has_name = FALSE;

  take_tally (self, JM_CLUSTER_NONE);
  for (guint i = 0; i < n; i++)
    {
      const JmSchedulerNode *node = jm_scheduler_report_get_node (report, i);

      has_name |= node->reservation != NULL;
      jm_node_tally_add (take_tally (self, find_name (self, node)), report, node);
    }

  return has_name;
}

void
jm_cluster_tell_reserved (const JmClusterTeller *teller,
                          JmSchedulerReport *nodes,
                          JmSchedulerReport *reservations,
                          gint64 now_us)
{
  g_autoptr (GHashTable) by_node =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) tallies =
    g_hash_table_new_full (g_str_hash, g_str_equal, NULL, tally_free);
  Reserved self = { by_node, tallies, teller->max_names };
  g_autoptr (GList) names = NULL;

  if (reservations != NULL)
    add_lists (&self, reservations, now_us);
  if (!add_nodes (&self, nodes) && reservations == NULL)
    return;

  names = g_list_sort (g_hash_table_get_keys (tallies), (GCompareFunc) strcmp);
  for (GList *i = names; i != NULL; i = i->next)
    jm_node_tally_tell_reserved (g_hash_table_lookup (tallies, i->data), i->data,
                                 teller->readings);
}
