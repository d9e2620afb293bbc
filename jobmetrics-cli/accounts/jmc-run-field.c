/* jmc-run-field.c: whatever is known of a site's run, by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-run-field.h"

#include "core/jm-number-private.h"
#include "report/jm-run-derived-private.h"
#include "report/jm-run-document-private.h"

/* Not in the range of JmRunField. */
#define CLUSTER ((JmRunField) 1000)
#define RAW_ID ((JmRunField) 1001)

#define TEXT JM_FORMAT_TEXT
#define COUNT JM_FORMAT_COUNT
#define BYTES JM_FORMAT_BYTES
#define TIME JM_FORMAT_TIME
#define DURATION JM_FORMAT_DURATION

static const JmcRunField fields[] = {
  { "job_id", "jobid", "JOBID", "The job, as its user sees it", TEXT,
    JM_RUN_FIELD_JOB_ID, NULL },
  { "raw_id", NULL, "RAWID", "The scheduler's own number of the job", TEXT, RAW_ID,
    NULL },
  { "uuid", NULL, "UUID", "The run, once and for all", TEXT, JM_RUN_FIELD_UUID, NULL },
  { "cluster", NULL, "CLUSTER", "The cluster", TEXT, CLUSTER, NULL },
  { "user", NULL, "USER", "Who ran it", TEXT, JM_RUN_FIELD_USER, NULL },
  { "uid", NULL, "UID", "The number of that user", COUNT, JM_RUN_FIELD_UID, NULL },
  { "account", NULL, "ACCOUNT", "The account that is charged", TEXT,
    JM_RUN_FIELD_ACCOUNT, NULL },
  { "partition", NULL, "PARTITION", "The partition or queue", TEXT,
    JM_RUN_FIELD_PARTITION, NULL },
  { "qos", NULL, "QOS", "The quality of service", TEXT, JM_RUN_FIELD_QOS, NULL },
  { "name", NULL, "NAME", "What its user called it", TEXT, JM_RUN_FIELD_NAME, NULL },
  { "state", NULL, "STATE", "How it ended, or that it goes on", TEXT,
    JM_RUN_FIELD_STATE, NULL },
  { "node_list", NULL, "NODELIST", "Its nodes", TEXT, JM_RUN_FIELD_NODE_LIST, NULL },
  { "submit_time", "submitted", "SUBMITTED", "When it was submitted", TIME,
    JM_RUN_FIELD_SUBMIT_TIME, NULL },
  { "start_time", "began", "BEGAN", "When it began", TIME, JM_RUN_FIELD_START_TIME,
    NULL },
  { "end_time", "ended", "ENDED", "When it ended", TIME, JM_RUN_FIELD_END_TIME, NULL },
  { "wait_seconds", "waited", "WAITED", "How long it waited for its begin", DURATION, 0,
    jm_run_derived_get_wait },
  { "elapsed_seconds", "elapsed", "ELAPSED", "How long it ran", DURATION, 0,
    jm_run_derived_get_elapsed },
  { "time_limit_seconds", "limit", "LIMIT", "How long it may take", DURATION,
    JM_RUN_FIELD_TIME_LIMIT, NULL },
  { "exit_code", "exit", "EXIT", "What it ended with", COUNT, JM_RUN_FIELD_EXIT_CODE,
    NULL },
  { "exit_signal", "signal", "SIGNAL", "The signal that ended it", COUNT,
    JM_RUN_FIELD_SIGNAL, NULL },
  { "nodes", NULL, "NODES", "How many nodes it was given", COUNT, JM_RUN_FIELD_NODES,
    NULL },
  { "cpus", NULL, "CPUS", "How many CPUs it was given", COUNT, JM_RUN_FIELD_CPUS,
    NULL },
  { "gpus_allocated", "gpus", "GPUS", "How many accelerators it was given", COUNT,
    JM_RUN_FIELD_GPUS_ALLOCATED, NULL },
  { "memory_allocated_bytes", "mem", "MEM", "How much memory it was given", BYTES,
    JM_RUN_FIELD_MEMORY_ALLOCATED, NULL },
  { "cpu_seconds", "cpu_time", "CPU-TIME", "CPU time that it used", DURATION,
    JM_RUN_FIELD_CPU_TIME, NULL },
  { "efficiency_percent", "eff", "EFF%", "CPU time, of what its CPUs could have given",
    JM_FORMAT_PERCENT, 0, jm_run_derived_get_efficiency },
  { "memory_peak_bytes", "peak", "PEAK", "Most memory that it used on one node", BYTES,
    JM_RUN_FIELD_MEMORY_PEAK, NULL },
  { "memory_percent", "mem%", "MEM%", "The peak, of what it was given on each node",
    JM_FORMAT_PERCENT, 0, jm_run_derived_get_memory_share },
  { "energy_joules", "energy", "ENERGY", "Energy that it took", JM_FORMAT_JOULES,
    JM_RUN_FIELD_ENERGY, NULL },
  { "emissions_grams", "co2", "CO2", "CO2 equivalent of that", JM_FORMAT_GRAMS,
    JM_RUN_FIELD_EMISSIONS, NULL },
};

guint
jmc_run_field_count (void)
{
  return G_N_ELEMENTS (fields);
}

const JmcRunField *
jmc_run_field_get (guint i)
{
  return &fields[i];
}

const JmcRunField *
jmc_run_field_from_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (g_str_equal (fields[i].name, name) ||
        g_strcmp0 (fields[i].short_name, name) == 0)
      return &fields[i];

  return NULL;
}

const char *
jmc_run_field_get_job_id (JmStoredRun *run)
{
  const char *id = jm_stored_run_get_text (run, JM_RUN_FIELD_JOB_ID);

  return id != NULL ? id : jm_stored_run_get_raw_id (run);
}

static const char *
get_text (const JmcRunField *self, JmStoredRun *run)
{
  if (self->field == CLUSTER)
    return jm_stored_run_get_cluster (run);
  if (self->field == RAW_ID)
    return jm_stored_run_get_raw_id (run);
  if (self->field == JM_RUN_FIELD_JOB_ID)
    return jmc_run_field_get_job_id (run);

  return jm_stored_run_get_text (run, self->field);
}

static JmFigure
get_figure (const JmcRunField *self, JmStoredRun *run)
{
  return self->get_figure != NULL ? self->get_figure (run)
                                  : jm_run_derived_get_figure (run, self->field);
}

/* The title of a share has the sign of per cent already. */
char *
jmc_run_field_format (const JmcRunField *self, JmStoredRun *run)
{
  JmFigure figure;

  if (self->format == JM_FORMAT_TEXT)
    return g_strdup (get_text (self, run));

  figure = get_figure (self, run);
  if (!figure.is_known)
    return NULL;

  if (self->format == JM_FORMAT_PERCENT)
    return g_strdup_printf ("%.1f", figure.value);
  /* a number of users or CPUs is told to the last one */
  if (self->format == JM_FORMAT_COUNT)
    return g_strdup_printf ("%.0f", figure.value);

  return jm_format_to_string (self->format, figure.value);
}

char *
jmc_run_field_to_string (const JmcRunField *self, JmStoredRun *run)
{
  g_autoptr (GString) text = NULL;
  JmFigure figure;

  if (self->format == JM_FORMAT_TEXT)
    return g_strdup (get_text (self, run));
  if (self->get_figure == NULL)
    return jm_run_document_format (run, self->field);

  figure = self->get_figure (run);
  if (!figure.is_known)
    return NULL;
  text = g_string_new (NULL);
  jm_number_append_double (text, figure.value);

  return g_string_free (g_steal_pointer (&text), FALSE);
}
