/* jm-pbs-answers-private.h: what qstat and pbsnodes answer
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "schedulers/jm-scheduler-report-private.h"

G_BEGIN_DECLS

/* What stands at each depth of an answer: its own members, such as the list of jobs or
 * nodes; these; their members; and members of those. */
enum
{
  JM_PBS_DEPTH_ROOT = 1,
  JM_PBS_DEPTH_LIST,
  JM_PBS_DEPTH_RECORD,
  JM_PBS_DEPTH_SECTION,
};

/* Takes the members of objects. @depth is one of these, or more; @key is empty within a
 * list. A value is the text of a string, or a number or a word as it stands there. */
typedef struct
{
  void (*begin) (gpointer data, guint depth, const char *key);
  void (*value) (gpointer data, guint depth, const char *key, JmSlice text);
  void (*end) (gpointer data, guint depth);
  void (*lose) (gpointer data, const char *problem); /* the job or node that is read */
} JmPbsJsonHandler;

/* Reads an answer in chunks as they come. Releases of PBS print what is no JSON where
 * users' words make them: numbers such as `005` and `.5`, nothing in place of an empty
 * value, quotes, `\'`, `\u@\h` and control characters as they are. One of these must
 * not cost the answer of a whole cluster, as it would with jm-json-stream: where a text
 * cannot be separated from what is around it, its job or node is lost, and reading goes
 * on with the next one, which begins on a line of its own. */
typedef struct _JmPbsJson JmPbsJson;

JmPbsJson *jm_pbs_json_new (const JmPbsJsonHandler *handler, gpointer data);
void jm_pbs_json_free (JmPbsJson *self);

void jm_pbs_json_feed (JmPbsJson *self, const char *text, gsize length);

/* FALSE, and `MALFORMED`, where it was no whole answer. */
gboolean jm_pbs_json_finish (JmPbsJson *self, const char *command, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPbsJson, jm_pbs_json_free)

/* What qstat is asked with. Without -t an array is one entry, whatever its length, that
 * shows how many of its tasks wait and run. */
#define JM_PBS_JOBS_COMMAND "qstat", "-f", "-F", "json"

extern const JmPbsJsonHandler jm_pbs_jobs_handler;

/* The handler's data. */
typedef struct
{
  JmSchedulerReport *report;
  JmSchedulerJob job;
  GString *id;      /* as PBS has it */
  GString *section; /* of the job, such as Resource_List */
  GString *indices; /* tasks of an array that wait */
  gint64 cpus;      /* that it asked for, as the next two */
  gint64 memory_bytes;
  gint64 gpus;
  gint64 n_hosts; /* that it has, or -1 */
  gint64 estimated_time;
  gint64 queued; /* tasks of an array, or -1 */
  gint64 running;
  gboolean is_jobs;
  gboolean is_lost; /* it cannot be distinguished from a text */
} JmPbsJobs;

/* @report must live longer. */
void jm_pbs_jobs_init (JmPbsJobs *self, JmSchedulerReport *report);
void jm_pbs_jobs_clear (JmPbsJobs *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmPbsJobs, jm_pbs_jobs_clear)

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
  gboolean is_assigned; /* whether the resources assigned to jobs are listed */
  gboolean is_full;     /* it says so */
  gboolean is_lost;     /* it cannot be distinguished from a text */
  gboolean is_closed;   /* jobs cannot have any of it */
} JmPbsNodes;

/* @report must live longer. */
void jm_pbs_nodes_init (JmPbsNodes *self, JmSchedulerReport *report);
void jm_pbs_nodes_clear (JmPbsNodes *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmPbsNodes, jm_pbs_nodes_clear)

G_END_DECLS
