/* jm-gridengine-answers-private.h: what qstat and qhost answer
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "schedulers/jm-scheduler-report-private.h"

G_BEGIN_DECLS

/* Who takes the elements named @item and what stands within them. @name is the
 * element's attribute of that name, or an empty text; @text is what stands in an
 * element that has no other within. */
typedef struct
{
  const char *item;
  void (*begin) (gpointer data, const char *element, const char *name);
  void (*end) (gpointer data, const char *element, const char *name, JmSlice text);
  /* A tag is out of place in the item that is open: it is not to be used. */
  void (*spoil) (gpointer data);
} JmGridengineXmlHandler;

/* Reads a document in chunks as they come. Names that are no UTF-8 do no harm; a tag
 * that is out of place, or too long a text, costs the item in which it stands. */
typedef struct _JmGridengineXml JmGridengineXml;

/* @root is the document's outermost element. */
JmGridengineXml *jm_gridengine_xml_new (const char *root,
                                        const JmGridengineXmlHandler *handler,
                                        gpointer data);
void jm_gridengine_xml_free (JmGridengineXml *self);

void jm_gridengine_xml_feed (JmGridengineXml *self, const char *text, gsize length);

/* FALSE, and `MALFORMED`, where it was no whole document. */
gboolean jm_gridengine_xml_finish (JmGridengineXml *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGridengineXml, jm_gridengine_xml_free)

/* What qstat is asked with: jobs of all users that wait or run, with their projects and
 * what they asked for. With -ext it leaves their times out, unless -urg stands beside
 * it. A task that runs is an element of its own, those of an array that wait are one.
 */
#define JM_GRIDENGINE_JOBS_COMMAND "qstat", "-u", "*", "-ext", "-urg", "-r", "-xml"
#define JM_GRIDENGINE_JOBS_ROOT "job_info"

extern const JmGridengineXmlHandler jm_gridengine_jobs_handler;

/* The handler's data. */
typedef struct
{
  JmSchedulerReport *report;
  JmSchedulerJob job;
  GString *queues; /* that it asked for, with commas */
  gint64 slots;
  guint memory_rank; /* of the request that its memory is taken from; 0 is none */
  gboolean is_job;   /* whether an element of a job is open */
} JmGridengineJobs;

/* @report must live longer. */
void jm_gridengine_jobs_init (JmGridengineJobs *self, JmSchedulerReport *report);
void jm_gridengine_jobs_clear (JmGridengineJobs *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmGridengineJobs, jm_gridengine_jobs_clear)

/* What qhost is asked with: all hosts, with their queues and what they measure. */
#define JM_GRIDENGINE_NODES_COMMAND "qhost", "-q", "-F", "-xml"
#define JM_GRIDENGINE_NODES_ROOT "qhost"

extern const JmGridengineXmlHandler jm_gridengine_nodes_handler;

/* A queue on a host, as it is listed. */
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
