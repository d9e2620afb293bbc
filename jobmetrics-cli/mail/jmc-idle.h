/* jmc-idle.h: runs that leave their devices or CPUs idle, and a site's policies on them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-archive.h"
#include "mail/jmc-alert-plan.h"

G_BEGIN_DECLS

/* JmcIdlePolicy:
 * @name: of its group, `[idle NAME]`
 * @command: the words of the site's command; NULL where decisions are recorded alone
 * @user: who runs the command where root calls this program
 * @max_commands: of one call
 *
 * Times are in seconds. */
typedef struct
{
  char *name;
  JmProfileSeries series;
  gint64 after;
  gint64 grace;
  char **patterns[9]; /* in the order of the keys that name runs; NULL for no key */
  guint quiet_begin;  /* minutes since midnight; both are 0 for no quiet hours */
  guint quiet_end;
  gboolean is_quiet_on_weekends; /* whether Saturdays and Sundays are quiet */
  char **command;
  char *user;
  guint max_commands;
} JmcIdlePolicy;

/* JmcIdleStep:
 * @JMC_IDLE_NONE: the run works, or is not idle for long enough, or all was done
 * @JMC_IDLE_EXEMPT: the site exempts it
 * @JMC_IDLE_KEPT: its owner keeps it
 * @JMC_IDLE_WAIT: for the end of the grace or of quiet hours
 * @JMC_IDLE_NOTICE: its owner is to be informed
 * @JMC_IDLE_ACT: the command is to be run
 *
 * The next step of a policy on a run. */
typedef enum
{
  JMC_IDLE_NONE,
  JMC_IDLE_EXEMPT,
  JMC_IDLE_KEPT,
  JMC_IDLE_WAIT,
  JMC_IDLE_NOTICE,
  JMC_IDLE_ACT,
} JmcIdleStep;

#define JMC_N_IDLE_STEPS (JMC_IDLE_ACT + 1)

/* When steps were taken last, in the order of JmcIdleStep; 0 for never. A notice that
 * was begun and perhaps not sent is in the place of JMC_IDLE_WAIT. */
typedef gint64 JmcIdlePast[JMC_N_IDLE_STEPS];

/* JmcIdleDecision:
 * @since: since when the run is idle
 * @due: of a notice, when the command is due
 * @kept: until when the owner keeps it; 0 where it is not kept
 *
 * Times are seconds since 1970. */
typedef struct _JmcIdleDecision
{
  const JmcIdlePolicy *policy;
  JmRunReport *report;
  JmcIdleStep step;
  gint64 time;
  gint64 since;
  gint64 due;
  gint64 kept;
} JmcIdleDecision;

/* The policies in @path, of JmcIdlePolicy; NULL with `INVALID` where one is invalid. */
GPtrArray *jmc_idle_policies_read (const char *path, GError **error);

/* Decides on the run of @report at a time; the report stays the caller's. */
JmcIdleDecision jmc_idle_policy_decide (const JmcIdlePolicy *self,
                                        JmRunReport *report,
                                        gint64 now,
                                        const JmcIdlePast past);

typedef struct _JmcIdle JmcIdle;

/* JmcIdleSetup:
 * @policies: of JmcIdlePolicy
 * @state: when notices were sent and commands were run
 * @record_file: gets a line for each decision
 * @url: of the server that has pages of runs; NULL for none
 * @is_dry: whether nothing is written and no command is run
 *
 * All of it outlives the JmcIdle. */
typedef struct
{
  GPtrArray *policies;
  JmcAlertState *state;
  const char *record_file;
  const char *url;
  gint64 now;
  guint timeout_ms;
  gboolean is_dry;
} JmcIdleSetup;

JmcIdle *jmc_idle_new (const JmcIdleSetup *setup);
void jmc_idle_free (JmcIdle *self);

/* Applies all policies to a run that goes on, and adds the notices to its owner to
 * @findings. FALSE where a decision cannot be recorded. */
gboolean jmc_idle_apply (JmcIdle *self,
                         JmRunReport *report,
                         GPtrArray *findings,
                         GError **error);

/* Before a notice is sent, and after that: both are on the disk once these return. */
gboolean
jmc_idle_begin_notice (JmcIdle *self, const JmcIdleDecision *decision, GError **error);
gboolean jmc_idle_end_notice (JmcIdle *self,
                              const JmcIdleDecision *decision,
                              gboolean is_sent,
                              GError **error);

/* Runs the commands that are due, of runs that @archive still has as idle and as not
 * kept. FALSE, and has reported why, where one failed. */
gboolean jmc_idle_act (JmcIdle *self, JmArchive *archive);

/* Adds what @policies would have done about a run between two times to @decisions, of
 * JmcIdleDecision. */
void jmc_idle_replay (GPtrArray *policies,
                      JmRunReport *report,
                      gint64 since,
                      gint64 until,
                      GPtrArray *decisions);

/* A table of @decisions. */
char *jmc_idle_make_table (GPtrArray *decisions);

void jmc_idle_decision_free (JmcIdleDecision *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcIdle, jmc_idle_free)

G_END_DECLS
