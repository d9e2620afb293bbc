/* jm-pbs-nodes-private.h: the nodes that pbsnodes lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-pbs-json-private.h"
#include "sources/scheduler/jm-scheduler-report-private.h"

G_BEGIN_DECLS

#define JM_PBS_NODES_COMMAND "pbsnodes", "-a", "-F", "json"

extern const JmPbsJsonHandler jm_pbs_nodes_handler;

/* The handler's data. */
typedef struct
{
  JmSchedulerReport *report;
  JmSchedulerNode node;
  GString *section;   /* of the node, such as resources_assigned */
  GString *words;     /* of its state, that have no flag */
  const char *reason; /* its comment, as long as the state is not known */
  gint64 changed_time;
  gboolean is_nodes;
  gboolean is_assigned; /* whether it is told what jobs have */
  gboolean is_full;     /* it says so */
  gboolean is_lost;     /* it cannot be told from a text */
  gboolean is_closed;   /* jobs cannot have any of it */
} JmPbsNodes;

/* @report must live longer. */
void jm_pbs_nodes_init (JmPbsNodes *self, JmSchedulerReport *report);
void jm_pbs_nodes_clear (JmPbsNodes *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmPbsNodes, jm_pbs_nodes_clear)

G_END_DECLS
