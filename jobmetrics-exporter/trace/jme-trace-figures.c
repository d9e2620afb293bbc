/* jme-trace-figures.c: what wrappers reported last, for scrapers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "trace/jme-trace-figures.h"

#include "base/jm-trace-record-private.h"

#define TAKEN "jobmetrics_trace_records_total"
#define REFUSED "jobmetrics_trace_refused_total"

/* Names, units and kinds are those of rivosinc's exporter, whose dashboards read them:
 * what grows is a gauge there too. */
typedef struct
{
  const char *name;
  const char *help;
  gsize offset; /* of the number in the record */
} Family;

static const Family families[] = {
  { "slurm_proc_pid", "Process of a traced command",
    G_STRUCT_OFFSET (JmTraceRecord, pid) },
  { "slurm_proc_cpu_usage", "CPU time over time of a traced command, percent of a CPU",
    G_STRUCT_OFFSET (JmTraceRecord, cpus) },
  { "slurm_proc_mem_usage", "Resident memory of a traced command, bytes",
    G_STRUCT_OFFSET (JmTraceRecord, memory) },
  { "slurm_proc_threadcount", "Threads of a traced command",
    G_STRUCT_OFFSET (JmTraceRecord, threads) },
  { "slurm_proc_write_bytes", "What a traced command has written so far, bytes",
    G_STRUCT_OFFSET (JmTraceRecord, write_bytes) },
  { "slurm_proc_read_bytes", "What a traced command has read so far, bytes",
    G_STRUCT_OFFSET (JmTraceRecord, read_bytes) },
};

static const char *const reasons[] = {
  [JME_TRACE_MALFORMED] = "malformed",
  [JME_TRACE_DENIED] = "denied",
  [JME_TRACE_TOO_OFTEN] = "too-often",
  [JME_TRACE_FULL] = "full",
};

G_STATIC_ASSERT (G_N_ELEMENTS (reasons) == JME_N_TRACE_REFUSALS);

static void
begin_sample (JmTextWriter *writer, const JmTraceRecord *record)
{
  char id[32], pid[32];

  g_snprintf (id, sizeof id, "%" G_GUINT64_FORMAT, record->job_id);
  g_snprintf (pid, sizeof pid, "%" G_GUINT64_FORMAT, record->pid);
  jm_text_writer_begin_sample (writer);
  if (record->cluster[0] != '\0')
    jm_text_writer_add_label (writer, "cluster", record->cluster);
  jm_text_writer_add_label (writer, "jobid", id);
  if (record->step[0] != '\0')
    jm_text_writer_add_label (writer, "step", record->step);
  jm_text_writer_add_label (writer, "username", record->user);
  jm_text_writer_add_label (writer, "hostname", record->host);
  jm_text_writer_add_label (writer, "pid", pid);
}

static void
append_family (const Family *family, GPtrArray *records, JmTextWriter *writer)
{
  gboolean is_cpus = family->offset == G_STRUCT_OFFSET (JmTraceRecord, cpus);

  jm_text_writer_begin_family (writer, JM_FAMILY_KIND_GAUGE, family->name,
                               family->help);
  for (guint i = 0; i < records->len; i++)
    {
      const JmTraceRecord *record = records->pdata[i];

      begin_sample (writer, record);
      if (is_cpus)
        jm_text_writer_end_with_double (writer, record->cpus);
      else
        jm_text_writer_end_with_uint64 (writer, G_STRUCT_MEMBER (guint64, record,
                                                                 family->offset));
    }
}

static void
append_counters (const JmeTraceCounters *counters,
                 JmMetricSelection *selection,
                 JmTextWriter *writer)
{
  if (jm_metric_selection_has_name (selection, TAKEN))
    {
      jm_text_writer_begin_family (writer, JM_FAMILY_KIND_COUNTER, TAKEN,
                                   "Records of traced commands that were taken");
      jm_text_writer_begin_sample (writer);
      jm_text_writer_end_with_uint64 (writer, counters->n_taken);
    }
  if (!jm_metric_selection_has_name (selection, REFUSED))
    return;

  jm_text_writer_begin_family (writer, JM_FAMILY_KIND_COUNTER, REFUSED,
                               "Records of traced commands that were refused");
  for (guint i = 0; i < JME_N_TRACE_REFUSALS; i++)
    {
      jm_text_writer_begin_sample (writer);
      jm_text_writer_add_label (writer, "reason", reasons[i]);
      jm_text_writer_end_with_uint64 (writer, counters->n_refused[i]);
    }
}

void
jme_trace_figures_append (GPtrArray *records,
                          const JmeTraceCounters *counters,
                          JmMetricSelection *selection,
                          JmTextWriter *writer)
{
  for (guint i = 0; i < G_N_ELEMENTS (families) && records->len > 0; i++)
    if (jm_metric_selection_has_name (selection, families[i].name))
      append_family (&families[i], records, writer);
  append_counters (counters, selection, writer);
}

gboolean
jme_trace_figures_match (const char *pattern)
{
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    if (g_pattern_match_simple (pattern, families[i].name))
      return TRUE;

  return g_pattern_match_simple (pattern, TAKEN) ||
         g_pattern_match_simple (pattern, REFUSED);
}
