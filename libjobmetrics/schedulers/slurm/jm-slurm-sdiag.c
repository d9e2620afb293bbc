/* jm-slurm-sdiag.c: how a controller is doing, as sdiag prints it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-output-private.h"

#include "schedulers/slurm/jm-slurm-field-private.h"

/* The headings below which the same words mean something else. */
enum
{
  SECTION_CONTROLLER,
  SECTION_MAIN,
  SECTION_BACKFILL,
  SECTION_BY_TYPE,
  SECTION_BY_USER,
  SECTION_OTHER,
};

static const struct
{
  const char *words;
  guint section;
} headings[] = {
  { "Main schedule statistics", SECTION_MAIN },
  { "Main scheduler exit", SECTION_OTHER },
  { "Backfilling stats", SECTION_BACKFILL },
  { "Backfill exit", SECTION_OTHER },
  { "Latency for", SECTION_OTHER },
  { "Remote Procedure Call statistics by message type", SECTION_BY_TYPE },
  { "Remote Procedure Call statistics by user", SECTION_BY_USER },
  { "Pending RPC", SECTION_OTHER },
};

#define FIELD(section, name, kind, member)                                             \
 {                                                                                     \
  section, { name, kind, G_STRUCT_OFFSET (JmSchedulerDiagnostics, member) }            \
 }
#define COUNT(name, member) FIELD (SECTION_CONTROLLER, name, JM_SLURM_COUNT, member)
#define MAIN(name, kind, member) FIELD (SECTION_MAIN, name, kind, member)
#define BACKFILL(name, kind, member) FIELD (SECTION_BACKFILL, name, kind, member)

static const struct
{
  guint section;
  JmSlurmField field;
} fields[] = {
  COUNT ("Server thread count", server_threads),
  COUNT ("Agent queue size", agent_queue),
  COUNT ("Agent thread count", agent_threads),
  COUNT ("DBD Agent queue size", dbd_queue),
  COUNT ("Jobs submitted", jobs_submitted),
  COUNT ("Jobs started", jobs_started),
  COUNT ("Jobs completed", jobs_completed),
  COUNT ("Jobs canceled", jobs_cancelled),
  COUNT ("Jobs failed", jobs_failed),
  COUNT ("Jobs pending", jobs_pending),
  COUNT ("Jobs running", jobs_running),
  MAIN ("Last cycle", JM_SLURM_MICROSECONDS, last_cycle_seconds),
  MAIN ("Max cycle", JM_SLURM_MICROSECONDS, max_cycle_seconds),
  MAIN ("Mean cycle", JM_SLURM_MICROSECONDS, mean_cycle_seconds),
  MAIN ("Total cycles", JM_SLURM_COUNT, cycles),
  MAIN ("Cycles per minute", JM_SLURM_COUNT, cycles_per_minute),
  MAIN ("Last queue length", JM_SLURM_COUNT, queue_length),
  BACKFILL ("Total backfilled jobs (since last slurm start)",
            JM_SLURM_COUNT,
            backfilled_jobs),
  BACKFILL ("Total backfilled jobs (since last stats cycle start)",
            JM_SLURM_COUNT,
            backfilled_last_jobs),
  BACKFILL ("Total backfilled heterogeneous job components",
            JM_SLURM_COUNT,
            backfilled_het_jobs),
  BACKFILL ("Total cycles", JM_SLURM_COUNT, backfill_cycles),
  BACKFILL ("Last cycle", JM_SLURM_MICROSECONDS, backfill_last_cycle_seconds),
  BACKFILL ("Max cycle", JM_SLURM_MICROSECONDS, backfill_max_cycle_seconds),
  BACKFILL ("Mean cycle", JM_SLURM_MICROSECONDS, backfill_mean_cycle_seconds),
  BACKFILL ("Last depth cycle", JM_SLURM_COUNT, backfill_last_depth),
  BACKFILL ("Last depth cycle (try sched)", JM_SLURM_COUNT, backfill_last_depth_try),
  BACKFILL ("Depth Mean", JM_SLURM_REAL, backfill_mean_depth),
  BACKFILL ("Last queue length", JM_SLURM_COUNT, backfill_queue_length),
};

static gboolean
starts_with (JmSlice line, const char *words)
{
  gsize length = strlen (words);

  return line.length >= length && memcmp (line.text, words, length) == 0;
}

static void
complain (JmSchedulerReport *report, JmSlice line)
{
  g_autofree char *complaint =
    g_strdup_printf ("sdiag: not understood: %.*s", (int) MIN (line.length, 128),
                     line.text);

  jm_scheduler_report_complain (report, complaint);
}

/* The seconds since 1970 that stand in brackets at the end, whatever is before them. */
static void
read_moment (JmSchedulerReport *report, JmSlice line, gint64 *seconds)
{
  const char *bracket = memrchr (line.text, '(', line.length);
  const char *end = line.text + line.length - 1;
  guint64 value;

  if (bracket != NULL && *end == ')' && end > bracket &&
      jm_parse_uint64 (bracket + 1, (gsize) (end - bracket - 1), &value) &&
      value <= G_MAXINT64)
    *seconds = (gint64) value;
  else
    complain (report, line);
}

/* `NAME ( 6018) count:10 ave_time:489 total_time:4895` */
static void
read_rpc (JmSlurmSdiag *self, JmSchedulerReport *report, JmSlice line)
{
  static const JmSlurmField rpc_fields[] = {
    { "count", JM_SLURM_COUNT, G_STRUCT_OFFSET (JmSchedulerRpc, count) },
    { "total_time", JM_SLURM_MICROSECONDS,
      G_STRUCT_OFFSET (JmSchedulerRpc, total_seconds) },
  };
  const char *bracket = memrchr (line.text, '(', line.length);
  const char *cursor = bracket != NULL ? bracket : line.text;
  const char *end = line.text + line.length;
  /* names of users may have blanks */
  JmSlice name = jm_slice_trim ((JmSlice){ line.text, (gsize) (cursor - line.text) });
  gboolean is_good = TRUE;
  JmSchedulerRpc rpc;
  JmSlice word;

  jm_scheduler_rpc_init (&rpc);

  while (jm_parse_next_word (&cursor, end, &word))
    for (guint i = 0; i < G_N_ELEMENTS (rpc_fields); i++)
      {
        gsize length = strlen (rpc_fields[i].name);

        if (starts_with (word, rpc_fields[i].name) && word.length > length &&
            word.text[length] == ':')
          is_good &= jm_slurm_field_take (&rpc_fields[i], report, &rpc,
                                          (JmSlice){ word.text + length + 1,
                                                     word.length - length - 1 });
      }

  if (name.length == 0 || rpc.count < 0)
    {
      if (is_good)
        complain (report, line);
      return;
    }
  if (self->section == SECTION_BY_USER)
    rpc.user = jm_scheduler_report_keep_slice (report, name);
  else
    rpc.type = jm_scheduler_report_keep_slice (report, name);
  jm_scheduler_report_add_rpc (report, &rpc);
}

/* What has no place in a record is left out: each release has more. */
static void
read_figure (JmSlurmSdiag *self, JmSchedulerReport *report, JmSlice line)
{
  const char *colon = memrchr (line.text, ':', line.length);
  JmSlice name, value;

  if (colon == NULL)
    return;

  name = jm_slice_trim ((JmSlice){ line.text, (gsize) (colon - line.text) });
  value = jm_slice_trim (
    (JmSlice){ colon + 1, (gsize) (line.text + line.length - colon - 1) });
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      if (fields[i].section == self->section &&
          jm_slice_equal (name, fields[i].field.name))
        {
          jm_slurm_field_take (&fields[i].field, report, &self->diagnostics, value);
          self->is_begun = TRUE;
        }
    }
}

void
jm_slurm_sdiag_init (JmSlurmSdiag *self)
{
  *self = (JmSlurmSdiag){ .section = SECTION_CONTROLLER };
  jm_scheduler_diagnostics_init (&self->diagnostics);
}

void
jm_slurm_sdiag_read (JmSlurmSdiag *self, JmSchedulerReport *report, JmSlice line)
{
  line = jm_slice_trim (line);
  if (line.length == 0)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (headings); i++)
    {
      if (starts_with (line, headings[i].words))
        {
          self->section = headings[i].section;
          return;
        }
    }

  if (self->section == SECTION_CONTROLLER && starts_with (line, "sdiag output at"))
    read_moment (report, line, &self->diagnostics.read_time);
  else if (self->section == SECTION_CONTROLLER && starts_with (line, "Data since"))
    read_moment (report, line, &self->diagnostics.reset_time);
  else if (self->section == SECTION_BY_TYPE || self->section == SECTION_BY_USER)
    read_rpc (self, report, line);
  else
    read_figure (self, report, line);
}

void
jm_slurm_sdiag_finish (JmSlurmSdiag *self, JmSchedulerReport *report)
{
  if (self->is_begun)
    jm_scheduler_report_set_diagnostics (report, &self->diagnostics);
  else
    jm_scheduler_report_complain (report, "sdiag: nothing that is known");
}
