/* jm-gridengine-nodes-private.h: the nodes that qhost lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-gridengine-xml-private.h"
#include "sources/scheduler/jm-scheduler-report-private.h"

G_BEGIN_DECLS

/* What qhost is asked with: all hosts, with their queues and what they measure. */
#define JM_GRIDENGINE_NODES_COMMAND "qhost", "-q", "-F", "-xml"
#define JM_GRIDENGINE_NODES_ROOT "qhost"

extern const JmGridengineXmlHandler jm_gridengine_nodes_handler;

/* A queue on a host, as it is told. */
typedef struct
{
  gint64 slots;
  gint64 used;
  guint letters; /* a bit for each that is in its state */
} JmGridengineQueue;

/* The handler's data. */
typedef struct
{
  JmSchedulerReport *report;
  JmSchedulerNode node;
  GString *queues; /* of the node, with commas */
  JmGridengineQueue queue;
  gint64 slots;      /* of all its queues, as the next two */
  gint64 used;       /* slots that jobs have */
  gint64 free;       /* slots that a job could have */
  guint any_letters; /* of one queue or more */
  guint all_letters; /* of each queue */
  gboolean is_node;  /* whether an element of a node is open */
  gboolean is_bad;
} JmGridengineNodes;

/* @report must live longer. */
void jm_gridengine_nodes_init (JmGridengineNodes *self, JmSchedulerReport *report);
void jm_gridengine_nodes_clear (JmGridengineNodes *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmGridengineNodes, jm_gridengine_nodes_clear)

G_END_DECLS
