/* jm-process-sweep-parts-private.h: what the files of a sweep share
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/process/jm-kept-process-private.h"
#include "sources/process/jm-process-feed-private.h"
#include "sources/process/jm-process-report-private.h"
#include "sources/process/jm-process-sweep-private.h"

G_BEGIN_DECLS

/* The processes that are known, called over in each round: those that are named are
 * there, and of the others it is asked whether they have ended. Owns them all. */
typedef struct _JmProcessRoll JmProcessRoll;

JmProcessRoll *jm_process_roll_new (void);

/* Works in the middle of a round too. */
void jm_process_roll_free (JmProcessRoll *self);

/* The processes of @group are its parent's from now on. */
void jm_process_roll_move_group (JmProcessRoll *self, guint group, guint parent);

/* --- a round --- */

void jm_process_roll_begin (JmProcessRoll *self);

/* NULL where it is not known. Costs next to nothing where processes are looked for in
 * the order in which they were named in the round before. */
JmKeptProcess *jm_process_roll_find (JmProcessRoll *self, guint pid);

gboolean jm_process_roll_is_named (JmProcessRoll *self, const JmKeptProcess *process);
gboolean jm_process_roll_was_named (JmProcessRoll *self, const JmKeptProcess *process);
void jm_process_roll_name (JmProcessRoll *self, JmKeptProcess *process);

/* Takes a process that was not known, and names it. */
void jm_process_roll_add (JmProcessRoll *self, JmKeptProcess *process);

/* One that is known has ended, as its number is another's by now. */
void jm_process_roll_strike (JmProcessRoll *self, JmKeptProcess *process);

/* Asks of those that nobody has named whether they have ended; who has not stays. */
void jm_process_roll_ask (JmProcessRoll *self,
                          gboolean (*has_ended) (JmKeptProcess *process,
                                                 gpointer user_data),
                          gpointer user_data);

/* Those that are there, and those that have ended. */
const GPtrArray *jm_process_roll_get_named (JmProcessRoll *self);
const GPtrArray *jm_process_roll_get_ended (JmProcessRoll *self);

/* The nearest process above one that has ended which was named in this round; NULL
 * where that does not count. */
JmKeptProcess *jm_process_roll_find_heir (JmProcessRoll *self,
                                          const JmKeptProcess *process);

void jm_process_roll_drop_ended (JmProcessRoll *self);
void jm_process_roll_end (JmProcessRoll *self);

struct _JmProcessSweep
{
  JmHost *host;
  JmProcessGroups *groups;     /* the table's */
  const JmProcessRules *rules; /* the table's */
  char **filesystems;
  guint threads_interval_ms;
  gint64 threads_read_us; /* when all threads were read last; 0 is never */
  gboolean threads_due;   /* in this round */
  gint64 all_read_us;     /* when all processes were read last; 0 is never */
  gboolean all_due;       /* in this round, those that sleep too */

  JmProcessFeed *feed;  /* NULL where procfs has all */
  gboolean feed_failed; /* in this round */
  guint64 n_lost;       /* as the feed reported last */

  JmProcessRoll *roll;
  GArray *waited; /* of JmWaited */

  /* Those that were named and could not be opened: pid -> group. One is lost when it
   * has ended, until then it may be read yet. */
  GHashTable *unopened;
  GHashTable *unopened_before; /* in the round before */

  JmReadings *readings; /* NULL between rounds */
  JmProcessReport report;
  JmCollectorSet collectors; /* wanted in this round, or the last one */
};

/* What was read of a process that has waited for children. It is taken at the end of
 * the round, when it is known which children ended. */
typedef struct
{
  JmKeptProcess *process;
  gboolean has_io;
  guint64 io_figures[JM_N_PROCESS_IO];
  guint64 child_user_ns;
  guint64 child_system_ns;
} JmWaited;

/* jm-process-sweep-figures.c */
gboolean jm_process_sweep_wants (JmProcessSweep *self, JmCollector collector);

/* Whether what could not be read of a process should have been: one that ended
 * meanwhile leaves no gap, but not every kernel has every file. */
gboolean jm_process_sweep_is_gap (JmKeptProcess *process, int result);
void jm_process_sweep_add_gap (JmProcessSweep *self, guint group, JmProcessPart part);

void jm_process_sweep_add_cpu (JmProcessSweep *self,
                               const JmKeptProcess *process,
                               JmLabels *executable,
                               guint64 user,
                               guint64 system);
void jm_process_sweep_take_cpu (JmProcessSweep *self,
                                JmKeptProcess *process,
                                const JmProcessStatus *status);
void jm_process_sweep_take_io (JmProcessSweep *self,
                               JmKeptProcess *process,
                               const guint64 figures[JM_N_PROCESS_IO],
                               gboolean has_waited);
void jm_process_sweep_place_threads (JmProcessSweep *self, JmKeptProcess *process);

/* Takes who a process is that was named in @group. Returns whether it counts, so that
 * its figures are to be taken, too. */
gboolean jm_process_sweep_meet (JmProcessSweep *self,
                                JmKeptProcess *process,
                                guint group,
                                const JmProcessStatus *status);

/* jm-process-sweep-fed.c: where the kernel itself reports all processes */
void jm_process_sweep_begin_fed (JmProcessSweep *self);
void jm_process_sweep_add_fed (JmProcessSweep *self, guint group, guint pid);
gboolean jm_process_sweep_has_fed_ended (JmProcessSweep *self, JmKeptProcess *process);
void jm_process_sweep_take_ends (JmProcessSweep *self);
void jm_process_sweep_read_fed_threads (JmProcessSweep *self, JmKeptProcess *process);
gboolean jm_process_sweep_read_fed_files (JmProcessSweep *self, JmKeptProcess *process);

G_END_DECLS
