/* jm-cluster-tally-private.h: sums over the jobs and the nodes of a cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings-private.h"
#include "schedulers/jm-scheduler-report-private.h"

G_BEGIN_DECLS

/* More words of one kind than this, such as reasons to wait, are counted as one. */
#define JM_CLUSTER_WORDS_MAX 100
/* What stands in a label for all that have no place of their own: no scheduler gives
 * such a name. */
#define JM_CLUSTER_OTHER "(other)"
/* And for those that nobody named. */
#define JM_CLUSTER_NONE "(none)"

/* A load average that no node reaches. */
#define JM_CLUSTER_LOAD_MAX 1e6

typedef enum
{
  JM_CLUSTER_CPUS,
  JM_CLUSTER_MEMORY,
  JM_CLUSTER_GPUS,
} JmClusterResource;

#define JM_N_CLUSTER_RESOURCES (JM_CLUSTER_GPUS + 1)

/* How many lengths of waits are distinguished. */
#define JM_N_CLUSTER_WAITS 9

/* Of the jobs of a cluster, a partition, an account or a user. Words are the report's,
 * and counted by their text. */
typedef struct
{
  guint64 jobs[JM_N_SCHEDULER_JOB_STATES];
  guint64 requested[JM_N_CLUSTER_RESOURCES];
  guint64 allocated[JM_N_CLUSTER_RESOURCES];
  guint64 suspended[JM_N_CLUSTER_RESOURCES];
  guint64 n_eligible; /* that wait and could have begun */
  guint64 pending_us; /* of them all */
  guint64 oldest_us;
  guint64 waiting[JM_N_CLUSTER_WAITS]; /* for that long at least */
  gboolean has_sums; /* of which nobody knows what they asked for, and since when */
  gboolean is_told[JM_N_CLUSTER_RESOURCES]; /* what those have */
  GHashTable *gpus;    /* by type, those requested and those allocated; NULL for none */
  GHashTable *flags;   /* likewise */
  GHashTable *reasons; /* likewise */
  GHashTable *features; /* jobs, their CPUs and their memory; NULL for none */
} JmQueueTally;

void jm_queue_tally_clear (JmQueueTally *self);
/* Its words, too, where @has_words. */
void jm_queue_tally_add (JmQueueTally *self,
                         JmSchedulerReport *report,
                         const JmSchedulerJob *job,
                         gboolean has_words,
                         gint64 now_us);
void jm_queue_tally_unite (JmQueueTally *self, const JmQueueTally *other);

/* About the present subject, of what the report has; words only where @has_words. */
void jm_queue_tally_tell (const JmQueueTally *self,
                          JmSchedulerReport *report,
                          gboolean has_words,
                          JmReadings *readings);

typedef enum
{
  JM_CLUSTER_GPU_ALLOCATED,
  JM_CLUSTER_GPU_IDLE,
  JM_CLUSTER_GPU_UNUSABLE,
} JmClusterGpuState;

#define JM_N_CLUSTER_GPU_STATES (JM_CLUSTER_GPU_UNUSABLE + 1)

/* Of the nodes of a cluster or a partition, or of one node. */
typedef struct
{
  guint64 nodes[JM_N_SCHEDULER_NODE_STATES];
  /* of the nodes of which they are known; -1 for none */
  gint64 cpus[3]; /* allocated, idle, other */
  gint64 memory_bytes;
  gint64 memory_allocated_bytes;
  gint64 memory_free_bytes;
  gint64 load_ppm;
  gint64 weight;
  /* by jm_cluster_node_word_make(): nodes, their CPUs, those allocated, memory
   * allocated; NULL for none */
  GHashTable *words;
  GHashTable *flags;  /* NULL for none */
  GHashTable *gpus;   /* by type, of JM_N_CLUSTER_GPU_STATES counts; NULL for none */
  GHashTable *shares; /* likewise of shards and the like, by gres */
} JmNodeTally;

void jm_node_tally_init (JmNodeTally *self);
void jm_node_tally_clear (JmNodeTally *self);
void jm_node_tally_add (JmNodeTally *self,
                        JmSchedulerReport *report,
                        const JmSchedulerNode *node);
/* States and flags only of several nodes; those of @sums where there are such. */
void jm_node_tally_tell (const JmNodeTally *self,
                         gboolean is_one,
                         const JmSchedulerNodeSums *sums,
                         JmReadings *readings);

/* About the cluster: of the nodes that are in a reservation. */
void jm_node_tally_tell_reserved (const JmNodeTally *self,
                                  const char *reservation,
                                  JmReadings *readings);

/* How much of why a job waits is the reason, without the names of nodes that stand
 * behind it: `ReqNodeNotAvail, UnavailableNodes:n[1-3]`. */
gsize jm_cluster_measure_reason (const char *reason);

/* The words of @list, between commas, in turn: *@word is within it. */
gboolean jm_cluster_take_word (const char **list, const char **word, gsize *length);

/* The flags of a node, each once, in small letters. */
char **jm_cluster_list_node_flags (const JmSchedulerNode *node);

G_END_DECLS
