/* jm-stage-private.h: a part of every round over a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-collector-set.h"
#include "core/jm-snapshot.h"
#include "core/jm-subject-private.h"
#include "node/energy/jm-energy-account-private.h"
#include "node/jm-gpu-map-private.h"
#include "node/jm-job-tracker-private.h"
#include "node/ledger/jm-checkpoint-private.h"
#include "registry/jm-source-set-private.h"

G_BEGIN_DECLS

/* What of a node is to be read. */
typedef struct
{
  JmSubjectKind level;          /* the deepest */
  JmCollectorSet collectors;    /* that are read */
  JmCollectorSet shown;         /* ... and of which figures are handed out */
  gint64 linger_us;             /* for how long the ended stay on display */
  guint max_cpus;               /* a subject with more CPUs has no figures by CPU */
  const char *const *gpu_order; /* names of devices as the scheduler numbers them */
  guint gpu_shards;             /* of each device; 0 for none */
  gboolean share_idle;
  const char *node_name;           /* NULL for the machine's own */
  const char *const *energy_files; /* of accounts; NULL for none */
  gint64 interval_us; /* between two rounds; 0 where they come as they may */
} JmSweepPlan;

/* What is at hand in a round, and what the stages of it leave for those after them. */
typedef struct
{
  const JmSweepPlan *plan;
  JmReadings *readings;      /* where figures go */
  JmSnapshot *last;          /* of the round before, or NULL */
  const GPtrArray *trackers; /* of JmJobTracker */
  GArray *subjects;          /* of JmSubject without references */

  JmGpuMap *gpu_map;     /* whose the accelerators are; NULL without any */
  const GArray *energy;  /* of JmEnergyItem: what was measured; NULL without meters */
  const GArray *sockets; /* of JmEnergySocket, with @energy */
  gint64 round_us;       /* since the meters were read before; 0 in the first */
  JmReadings *work; /* what processors counted of the whole node; NULL for nothing */
  JmRoundFactors factors;

  JmSnapshot *snapshot; /* what the round has become: of its end alone */
  gboolean is_last;     /* nothing comes after it */

  /* the subject that is visited */
  JmTrackedSubject *subject;
  JmCgroupReader *reader;
  guint from;                /* where its figures begin */
  gboolean is_read;          /* else it ended or vanished */
  gboolean is_late;          /* between two rounds, since its end may be near */
  gboolean has_claimed_cpus; /* how many it may use is its user's own word */

  gboolean is_published; /* other programs of the node go by it */
} JmRound;

/* Adds a subject, behind the one that it is a part of: what is read next is about it.
 * Not between rounds. What @subject points to outlives the round.
 *
 * Returns: its number */
guint jm_round_add_subject (JmRound *self, const JmSubject *subject);

/* A part of every round. Their order in the table is all that one needs of another: in
 * that order all begin, look at each subject, and end. Whatever may be left out. */
typedef struct
{
  const char *name;
  /* Makes the stage's own; may leave messages, of GError, in @problems. */
  gpointer (*open) (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems);
  void (*close) (gpointer self);
  /* Takes a source of whichever kind; most are another stage's. */
  void (*add_source) (gpointer self, const JmSourceEntry *entry);

  void (*begin) (gpointer self, JmRound *round);
  void (*visit) (gpointer self, JmRound *round, guint subject);
  void (*end) (gpointer self, JmRound *round);

  /* Adds those of its collectors that have nothing that could succeed or fail. */
  void (*add_idle_collectors) (gpointer self, JmCollectorSet *idle);
  /* What the program kept before it ended, of this boot or another, once and before the
   * first round, with the runs (JmJobRecord) that went on then; and what it will want
   * then, at the end of a round. */
  void (*restore) (gpointer self,
                   const JmCheckpoint *checkpoint,
                   const GPtrArray *running);
  void (*save) (gpointer self, JmRound *round, JmLedgerBatch *batch);
  /* Between two rounds: the end of a job was seen, and what could be read of it is its
   * last. */
  void (*ended) (gpointer self,
                 JmRound *round,
                 JmTrackedJob *job,
                 JmLedgerBatch *batch);
  /* Waits for what answers in the background. */
  void (*wait) (gpointer self, gint64 timeout_us);
} JmStageClass;

extern const JmStageClass jm_machine_stage;
extern const JmStageClass jm_gpu_stage;
extern const JmStageClass jm_gpu_job_stage;
extern const JmStageClass jm_power_stage;
extern const JmStageClass jm_cgroup_stage;
extern const JmStageClass jm_process_stage;
extern const JmStageClass jm_counter_stage;
extern const JmStageClass jm_energy_stage;
extern const JmStageClass jm_emission_stage;
extern const JmStageClass jm_ledger_stage;

/* All stages of a node, open. */
typedef struct _JmStages JmStages;

JmStages *
jm_stages_open (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems);
void jm_stages_free (JmStages *self);

void jm_stages_add_source (JmStages *self, const JmSourceEntry *entry);
void jm_stages_begin (JmStages *self, JmRound *round);
void jm_stages_visit (JmStages *self, JmRound *round, guint subject);
void jm_stages_end (JmStages *self, JmRound *round);
void jm_stages_add_idle_collectors (JmStages *self, JmCollectorSet *idle);
void jm_stages_restore (JmStages *self,
                        const JmCheckpoint *checkpoint,
                        const GPtrArray *running);
void jm_stages_save (JmStages *self, JmRound *round, JmLedgerBatch *batch);
void jm_stages_job_ended (JmStages *self,
                          JmRound *round,
                          JmTrackedJob *job,
                          JmLedgerBatch *batch);
void jm_stages_wait (JmStages *self, gint64 timeout_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmStages, jm_stages_free)

G_END_DECLS
