/* jmc-run-meter.c: what a command that we run uses, from before it begins until it has
 * ended
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "run/jmc-run-parts.h"

#include <signal.h>
#include <string.h>

#define COLLECTORS                                                                     \
 JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_MEMORY, JM_COLLECTOR_IO,             \
                   JM_COLLECTOR_PROCESS, JM_COLLECTOR_POWER, JM_COLLECTOR_EMISSIONS)

/* Less than this share of the time is worth a word. */
#define WELL_COVERED 0.9

/* Where no hierarchy of cgroups is. */
#define NOWHERE "/proc/self/no-cgroups"

struct _JmcRunMeter
{
  JmNode *node;
  char *name; /* of the job, as snapshots know it; NULL before there is one */
  gboolean has_cgroup;
  JmSnapshot *latest;
  JmFigure memory_peak; /* the most that was seen */
};

/* Those that run programs: run waits for all processes that end below it, theirs too.
 */
static gboolean
runs_programs (const char *source)
{
  static const char *const names[] = { "command", "ipmi-command", NULL };
  g_autofree char *name = g_strndup (source, strcspn (source, ","));

  return g_strv_contains (names, name);
}

/* Whether the sources that were named can be read meanwhile; has reported which cannot.
 */
gboolean
jmc_run_meter_check (const JmcMetering *metering)
{
  for (const char *const *source = metering->sources; source != NULL && *source != NULL;
       source++)
    if (runs_programs (*source))
      {
        jmc_output_complain ("--power.source=%s: a source that runs programs cannot be "
                             "read by run",
                             *source);
        return FALSE;
      }

  return TRUE;
}

/* --- looking --- */

static gboolean
find_job (JmcRunMeter *self, guint *job)
{
  return self->latest != NULL && self->name != NULL &&
         jm_snapshot_find_job (self->latest, self->name, job);
}

/* A cgroup shows what it holds, processes what each of them does. */
static void
note_memory (JmcRunMeter *self, guint job)
{
  JmFigure held =
    jm_figure_of_name (self->latest, job,
                       self->has_cgroup ? "memory_used_bytes" : "process_rss_bytes");

  if (held.is_known &&
      (!self->memory_peak.is_known || held.value > self->memory_peak.value))
    self->memory_peak = held;
}

/* Counters wrap, and power is integrated: this should be done every second or so. */
void
jmc_run_meter_look (JmcRunMeter *self)
{
  guint job;

  g_clear_pointer (&self->latest, jm_snapshot_unref);
  self->latest = jm_node_sample (self->node, NULL, NULL);
  if (find_job (self, &job))
    note_memory (self, job);
}

/* Signals are the command's affair, and not that of threads that ask sources. */
static JmNode *
open_node (const JmcOptions *options, GError **error)
{
  g_autoptr (JmHost) host = jm_host_new_with_paths (NULL, NULL, NULL, NOWHERE);
  sigset_t all, before;
  JmNode *node;

  sigfillset (&all);
  pthread_sigmask (SIG_BLOCK, &all, &before);
  node =
    jmc_options_open_node_of (options, host, JM_SUBJECT_KIND_JOB, COLLECTORS, error);
  pthread_sigmask (SIG_SETMASK, &before, NULL);

  return node;
}

/* Opens the power sources that the options name, else those that the node has; NULL
 * where that is invalid. */
JmcRunMeter *
jmc_run_meter_new (const JmcOptions *options, GError **error)
{
  JmNode *node = open_node (options, error);
  JmcRunMeter *self;

  if (node == NULL)
    return NULL;

  /* who names one would rather wait than miss the beginning */
  if (options->metering.sources != NULL || options->metering.providers != NULL)
    jmc_metering_wait (node);

  self = g_new0 (JmcRunMeter, 1);
  self->node = node;
  jmc_run_meter_look (self);

  return self;
}

void
jmc_run_meter_free (JmcRunMeter *self)
{
  g_clear_pointer (&self->latest, jm_snapshot_unref);
  g_object_unref (self->node);
  g_free (self->name);
  g_free (self);
}

/* Makes a job, which has not begun, the only one of the node. */
void
jmc_run_meter_follow (JmcRunMeter *self, JmcRunReader *reader, const char *job_id)
{
  self->name = g_strconcat ("local:", job_id, NULL);
  self->has_cgroup = jmc_run_reader_has_cgroup (reader);
  jm_node_add_source (self->node, JM_SOURCE (reader));
  jmc_run_meter_look (self);
}

/* --- the report --- */

/* The most that was seen to be held, in looks now and then. */
JmFigure
jmc_run_meter_get_memory_peak (JmcRunMeter *self)
{
  return self->memory_peak;
}

static void
set (JmcRunSummary *report,
     JmcRunSummaryFigure which,
     JmSnapshot *snapshot,
     guint job,
     const char *name)
{
  JmFigure figure = jm_figure_of_name (snapshot, job, name);

  jmc_run_summary_set (report, which, figure,
                       figure.is_estimated ? JMC_SOURCE_ESTIMATE : JMC_SOURCE_METERS);
}

static void
note_gaps (JmcRunSummary *report, JmSnapshot *snapshot, guint job)
{
  JmFigure covered = jm_figure_of_name (snapshot, job, "energy_covered_seconds");

  if (covered.is_known && covered.value < WELL_COVERED * report->elapsed)
    jmc_run_summary_add_note (report, "its energy is known for %.2f of %.2f seconds",
                              covered.value, report->elapsed);
}

static void
note_sources_that_are_down (JmcRunSummary *report, JmSnapshot *snapshot)
{
  const GError *error = jm_snapshot_get_error (snapshot, JM_COLLECTOR_POWER);

  if (error != NULL)
    jmc_run_summary_add_note (report, "%s", error->message);
}

/* Looks for the last time, and puts into the report what the job has used. What ended
 * processes show is to be there already. */
void
jmc_run_meter_report (JmcRunMeter *self, JmcRunSummary *report)
{
  guint job;

  jmc_run_meter_look (self);
  if (!find_job (self, &job))
    return;

  if (self->has_cgroup)
    jmc_run_summary_take_snapshot (report, self->latest, job);
  note_sources_that_are_down (report, self->latest);
  set (report, JMC_RUN_SUMMARY_ENERGY, self->latest, job, "energy_joules");
  set (report, JMC_RUN_SUMMARY_EMISSIONS, self->latest, job, "emissions_grams");
  note_gaps (report, self->latest, job);
}
