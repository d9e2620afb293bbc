/* jmc-run-summary.h: what a command has used, as run reports it at its end
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <sys/resource.h>

#include "core/jm-figure.h"
#include "core/jm-snapshot.h"

G_BEGIN_DECLS

typedef enum
{
  JMC_RUN_SUMMARY_CPU_USER,
  JMC_RUN_SUMMARY_CPU_SYSTEM,
  JMC_RUN_SUMMARY_CPU_TOTAL,
  JMC_RUN_SUMMARY_CPUS,
  JMC_RUN_SUMMARY_EFFICIENCY,
  JMC_RUN_SUMMARY_MEMORY_PEAK,
  JMC_RUN_SUMMARY_LARGEST_PROCESS,
  JMC_RUN_SUMMARY_READ_BYTES,
  JMC_RUN_SUMMARY_WRITE_BYTES,
  JMC_RUN_SUMMARY_PROCESSES,
  JMC_RUN_SUMMARY_ENERGY,
  JMC_RUN_SUMMARY_EMISSIONS,
} JmcRunSummaryFigure;

#define JMC_N_RUN_SUMMARY_FIGURES (JMC_RUN_SUMMARY_EMISSIONS + 1)

#define JMC_SOURCE_CGROUP "cgroup"
#define JMC_SOURCE_WAIT "wait4"
#define JMC_SOURCE_WAIT_SHARED "wait4, with what it shares"
#define JMC_SOURCE_SAMPLES "samples"
#define JMC_SOURCE_SAMPLES_AT_LEAST "samples, at least"
#define JMC_SOURCE_AFFINITY "affinity"
#define JMC_SOURCE_METERS "power sources"
#define JMC_SOURCE_ESTIMATE "an estimate, not measured"
#define JMC_SOURCE_TOO_SHORT "too short to measure"
#define JMC_SOURCE_TOO_SMALL "no larger than jobmetrics-cli"

/* JmcRunSummary:
 * @job_id: the job's number
 * @name: the job's name
 * @command: the command and its arguments
 * @cgroup: the job's cgroup, or NULL
 * @start_time_us: microseconds since 1970
 * @elapsed: seconds
 * @is_signaled: whether a signal ended the command
 * @code: number of the signal, or the exit code
 * @figures: by JmcRunSummaryFigure
 * @sources: where each comes from, static, or why it is not known; NULL for what is not
 *   known without a word
 * @notes: of text: what else should be known */
typedef struct
{
  char *job_id;
  char *name;
  char **command;
  char *cgroup;
  gint64 start_time_us;
  double elapsed;
  gboolean is_signaled;
  int code;
  JmFigure figures[JMC_N_RUN_SUMMARY_FIGURES];
  const char *sources[JMC_N_RUN_SUMMARY_FIGURES];
  GPtrArray *notes;
} JmcRunSummary;

JmcRunSummary *
jmc_run_summary_new (const char *job_id, const char *name, char **command);
void jmc_run_summary_free (JmcRunSummary *self);
void jmc_run_summary_set (JmcRunSummary *self,
                          JmcRunSummaryFigure which,
                          JmFigure figure,
                          const char *source);
void jmc_run_summary_add_note (JmcRunSummary *self, const char *format, ...)
  G_GNUC_PRINTF (2, 3);
void jmc_run_summary_take_snapshot (JmcRunSummary *self,
                                    JmSnapshot *snapshot,
                                    guint subject);
void jmc_run_summary_take_usage (JmcRunSummary *self, const struct rusage *usage);
void jmc_run_summary_take_sampled_peak (JmcRunSummary *self, JmFigure peak);
void jmc_run_summary_finish (JmcRunSummary *self);
char *jmc_run_summary_render (JmcRunSummary *self, gboolean color);
char *jmc_run_summary_to_json (JmcRunSummary *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcRunSummary, jmc_run_summary_free)

G_END_DECLS
