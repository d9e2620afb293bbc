/* jmc-report.h: what a command has used, as run tells it at the end
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <sys/resource.h>

#include "core/jm-snapshot.h"
#include "jmc-figure.h"

G_BEGIN_DECLS

typedef enum
{
  JMC_REPORT_CPU_USER,
  JMC_REPORT_CPU_SYSTEM,
  JMC_REPORT_CPU_TOTAL,
  JMC_REPORT_CPUS,
  JMC_REPORT_EFFICIENCY,
  JMC_REPORT_MEMORY_PEAK,
  JMC_REPORT_LARGEST_PROCESS,
  JMC_REPORT_READ_BYTES,
  JMC_REPORT_WRITE_BYTES,
  JMC_REPORT_PROCESSES,
  JMC_REPORT_ENERGY,
  JMC_REPORT_EMISSIONS,
} JmcReportFigure;

#define JMC_N_REPORT_FIGURES (JMC_REPORT_EMISSIONS + 1)

#define JMC_SOURCE_CGROUP "cgroup"
#define JMC_SOURCE_WAIT "wait4"
#define JMC_SOURCE_SAMPLES "samples"
#define JMC_SOURCE_AFFINITY "affinity"
#define JMC_SOURCE_METERS "power sources"
#define JMC_SOURCE_ESTIMATE "an estimate, not measured"

/* JmcReport:
 * @job_id: the job's number
 * @name: the job's name
 * @command: the command and its arguments
 * @cgroup: the job's cgroup, or NULL
 * @start_time_us: microseconds since 1970
 * @elapsed: seconds
 * @is_signaled: whether a signal ended the command
 * @code: number of the signal, or the exit code
 * @figures: by JmcReportFigure
 * @sources: where each comes from, static; NULL for what is not known
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
  JmcFigure figures[JMC_N_REPORT_FIGURES];
  const char *sources[JMC_N_REPORT_FIGURES];
  GPtrArray *notes;
} JmcReport;

JmcReport *jmc_report_new (const char *job_id, const char *name, char **command);
void jmc_report_free (JmcReport *self);
void jmc_report_set (JmcReport *self,
                     JmcReportFigure which,
                     JmcFigure figure,
                     const char *source);
void jmc_report_add_note (JmcReport *self, const char *format, ...)
  G_GNUC_PRINTF (2, 3);
void jmc_report_take_snapshot (JmcReport *self, JmSnapshot *snapshot, guint subject);
void jmc_report_take_usage (JmcReport *self, const struct rusage *usage);
void jmc_report_finish (JmcReport *self);
char *jmc_report_render (JmcReport *self, gboolean color);
char *jmc_report_to_json (JmcReport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcReport, jmc_report_free)

G_END_DECLS
