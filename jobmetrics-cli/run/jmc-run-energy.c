/* jmc-run-energy.c: the energy of a command that we run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "run/jmc-run-energy.h"

#include <signal.h>
#include <string.h>

#define COLLECTORS                                                                     \
 JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_MEMORY, JM_COLLECTOR_PROCESS,        \
                   JM_COLLECTOR_POWER, JM_COLLECTOR_EMISSIONS)

/* Less than this share of the time is worth a word. */
#define WELL_COVERED 0.9

struct _JmcRunEnergy
{
  JmNode *node;
  JmSnapshot *latest;
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
jmc_run_energy_check (const JmcMetering *metering)
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

static void
take (JmcRunEnergy *self)
{
  g_clear_pointer (&self->latest, jm_snapshot_unref);
  self->latest = jm_node_sample (self->node, NULL, NULL);
}

/* Signals are the command's affair, and not that of threads that ask sources. */
static JmNode *
open_node (const JmcOptions *options, GError **error)
{
  sigset_t all, before;
  JmNode *node;

  sigfillset (&all);
  pthread_sigmask (SIG_BLOCK, &all, &before);
  node = jmc_options_open_node (options, JM_SUBJECT_KIND_JOB, COLLECTORS, error);
  pthread_sigmask (SIG_SETMASK, &before, NULL);

  return node;
}

/* Opens what the options name, else what the node has; NULL where that cannot be meant.
 */
JmcRunEnergy *
jmc_run_energy_new (const JmcOptions *options, GError **error)
{
  JmNode *node = open_node (options, error);
  JmcRunEnergy *self;

  if (node == NULL)
    return NULL;

  /* who names one would rather wait than miss the beginning */
  if (options->metering.sources != NULL || options->metering.providers != NULL)
    jmc_metering_wait (node);

  self = g_new0 (JmcRunEnergy, 1);
  self->node = node;
  take (self);

  return self;
}

void
jmc_run_energy_free (JmcRunEnergy *self)
{
  g_clear_pointer (&self->latest, jm_snapshot_unref);
  g_object_unref (self->node);
  g_free (self);
}

/* Whether the node has any source at all. */
gboolean
jmc_run_energy_is_known (JmcRunEnergy *self)
{
  g_autoptr (GPtrArray) sources = NULL;

  if (self->latest == NULL)
    return FALSE;

  sources = jm_snapshot_list_labels (self->latest, JM_NODE_SUBJECT,
                                     JM_METRIC_NODE_POWER_SOURCE_UP);

  return sources->len > 0;
}

/* Counters wrap, and power is integrated: this should be done every second or so. */
void
jmc_run_energy_look (JmcRunEnergy *self)
{
  take (self);
}

/* --- the report --- */

static void
set (JmcRunReport *report,
     JmcRunReportFigure which,
     JmSnapshot *snapshot,
     guint job,
     JmMetric metric)
{
  JmFigure figure = jm_figure_of_metric (snapshot, job, metric);

  jmc_run_report_set (report, which, figure,
                      figure.is_estimated ? JMC_SOURCE_ESTIMATE : JMC_SOURCE_METERS);
}

static void
note_gaps (JmcRunReport *report, JmSnapshot *snapshot, guint job)
{
  JmFigure covered = jm_figure_of_metric (snapshot, job, JM_METRIC_ENERGY_COVERED);

  if (covered.is_known && covered.value < WELL_COVERED * report->elapsed)
    jmc_run_report_add_note (report, "its energy is known for %.2f of %.2f seconds",
                             covered.value, report->elapsed);
}

static void
note_sources_that_are_down (JmcRunReport *report, JmSnapshot *snapshot)
{
  const GError *error = jm_snapshot_get_error (snapshot, JM_COLLECTOR_POWER);

  if (error != NULL)
    jmc_run_report_add_note (report, "%s", error->message);
}

/* Looks for the last time, and puts into the report what the job has used. */
void
jmc_run_energy_report (JmcRunEnergy *self, const char *job_id, JmcRunReport *report)
{
  g_autofree char *name = g_strconcat ("local:", job_id, NULL);
  guint job;

  take (self);
  if (self->latest == NULL)
    return;

  note_sources_that_are_down (report, self->latest);
  if (!jm_snapshot_find_job (self->latest, name, &job))
    return;

  set (report, JMC_RUN_REPORT_ENERGY, self->latest, job, JM_METRIC_ENERGY);
  set (report, JMC_RUN_REPORT_EMISSIONS, self->latest, job, JM_METRIC_EMISSIONS);
  note_gaps (report, self->latest, job);
}
