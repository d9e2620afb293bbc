/* jm-run-hint.c: what else rules ask of a run, and what to ask for instead
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-hint-private.h"

#include <math.h>
#include <string.h>

#include "core/jm-job-record-private.h"
#include "core/jm-run-field-private.h"
#include "judge/jm-run-evidence-private.h"
#include "judge/jm-run-report-private.h"

#define MIB 1048576.0
#define GIB (1024 * MIB)
#define TIB (1024 * GIB)

/* More than this nobody asks for, and a number of it is no option. */
#define MAX_OPTION 1e15

typedef JmFigure (*Reckon) (const JmRunReport *report);

static JmFigure
get (const JmRunReport *report, JmQuantityId quantity)
{
  return jm_figures_get (report->figures, quantity);
}

/* Absent where either is, or where nothing follows. */
static JmFigure
combine (JmFigure a, JmFigure b, double value)
{
  if (!a.is_known || !b.is_known || !isfinite (value))
    return (JmFigure){ 0 };

  return (JmFigure){ .value = value,
                     .is_known = TRUE,
                     .is_estimated = a.is_estimated || b.is_estimated };
}

/* --- what follows --- */

/* Not known without a state and without the time of the end. */
static JmFigure
get_running (const JmRunReport *report)
{
  gint64 end;

  if (jm_run_peek_text (report->run, JM_RUN_FIELD_STATE) == NULL &&
      !jm_run_get_number (report->run, JM_RUN_FIELD_END_TIME, &end))
    return (JmFigure){ 0 };

  return jm_figure_known (jm_run_report_is_running ((JmRunReport *) report) ? 1 : 0);
}

/* Whether the node's scheduler named an accelerator that was not watched. */
static gboolean
names_gpus (JmJobRecord *record)
{
  JmJob *job =
    jm_snapshot_get_job (jm_job_record_get_snapshot (record), JM_RECORD_SUBJECT);

  return jm_job_get_field (job, JM_JOB_FIELD_GPUS) != NULL ||
         jm_job_get_field (job, JM_JOB_FIELD_VISIBLE_GPUS) != NULL;
}

static gboolean
knows_all_nodes (const JmRunReport *report)
{
  const JmFigure nodes = get (report, JM_QUANTITY_NODES);

  return report->nodes->len > 0 && nodes.is_known &&
         nodes.value == (double) report->nodes->len;
}

/* Schedulers and nodes count accelerators where there are some, and say nothing of
 * none. So a run has none if its scheduler has what it was given, or all of its nodes
 * did, and no accelerator was among that. */
static JmFigure
get_has_gpus (const JmRunReport *report)
{
  const JmFigure gpus = get (report, JM_QUANTITY_GPUS_ALLOCATED);
  const char *tres = jm_run_peek_text (report->run, JM_RUN_FIELD_TRES);

  if (gpus.is_known)
    return jm_figure_known (gpus.value > 0);
  if (report->gpus->len > 0)
    return jm_figure_known (1);
  if (tres != NULL)
    return jm_figure_known (strstr (tres, "gpu") != NULL);

  for (guint i = 0; i < report->nodes->len; i++)
    {
      JmJobRecord *record = jm_run_report_peek_node (report, i)->record;

      if (record == NULL)
        return (JmFigure){ 0 };
      if (names_gpus (record))
        return jm_figure_known (1);
    }

  return knows_all_nodes (report) ? jm_figure_known (0) : (JmFigure){ 0 };
}

static JmFigure
get_memory_hours (const JmRunReport *report)
{
  JmFigure figure = jm_figures_multiply (get (report, JM_QUANTITY_MEMORY_UNUSED),
                                         get (report, JM_QUANTITY_ELAPSED));

  figure.value /= TIB * 3600;

  return figure;
}

/* --- what to ask for --- */

static double
round_up (double value, double step)
{
  return ceil (value / step) * step;
}

/* Steps that grow with the size, as nobody asks for 117.3 GiB. */
static double
round_memory (double bytes)
{
  if (bytes < GIB)
    return round_up (MAX (bytes, 1), 100 * MIB);
  if (bytes < 10 * GIB)
    return round_up (bytes, GIB);
  if (bytes < 100 * GIB)
    return round_up (bytes, 5 * GIB);

  return round_up (bytes, bytes < TIB ? 10 * GIB : 100 * GIB);
}

static double
round_time (double seconds)
{
  if (seconds <= 3600)
    return round_up (MAX (seconds, 1), 300);
  if (seconds <= 6 * 3600)
    return round_up (seconds, 900);

  return round_up (seconds, seconds <= 86400 ? 3600 : 6 * 3600);
}

/* Absent where it is no less than what the run had. */
static JmFigure
get_less (double value, JmFigure from, JmFigure than)
{
  return value < than.value ? combine (from, than, value) : (JmFigure){ 0 };
}

static JmFigure
get_memory_suggested (const JmRunReport *report)
{
  const JmFigure peak = get (report, JM_QUANTITY_MEMORY_PEAK);

  return get_less (round_memory (peak.value * JM_RUN_HINT_MEMORY_MARGIN), peak,
                   get (report, JM_QUANTITY_MEMORY_ALLOCATED));
}

static JmFigure
get_memory_per_cpu_suggested (const JmRunReport *report)
{
  const JmFigure each = jm_figures_divide (get (report, JM_QUANTITY_MEMORY_PEAK),
                                           get (report, JM_QUANTITY_CPUS_PER_NODE));

  return get_less (round_memory (each.value * JM_RUN_HINT_MEMORY_MARGIN), each,
                   get (report, JM_QUANTITY_MEMORY_PER_CPU));
}

static JmFigure
get_memory_more (const JmRunReport *report)
{
  JmFigure figure = get (report, JM_QUANTITY_MEMORY_ALLOCATED);

  figure.value = round_memory (figure.value * JM_RUN_HINT_MORE);

  return figure;
}

static JmFigure
get_time_suggested (const JmRunReport *report)
{
  const JmFigure elapsed = get (report, JM_QUANTITY_ELAPSED);

  return get_less (round_time (elapsed.value * JM_RUN_HINT_TIME_MARGIN), elapsed,
                   get (report, JM_QUANTITY_TIME_LIMIT));
}

static JmFigure
get_time_more (const JmRunReport *report)
{
  JmFigure figure = get (report, JM_QUANTITY_TIME_LIMIT);

  figure.value = round_time (figure.value * JM_RUN_HINT_MORE);

  return figure;
}

/* What was busy in its busiest interval, where that is known. */
static JmFigure
get_cpus_suggested (const JmRunReport *report)
{
  JmFigure busy = get (report, JM_QUANTITY_CPUS_USED_PEAK);

  if (!busy.is_known)
    busy = get (report, JM_QUANTITY_CPUS_USED);

  /* a CPU that is busy reads as a hair more than one */
  return get_less (MAX (ceil (busy.value - 0.1), 1), busy,
                   get (report, JM_QUANTITY_CPUS));
}

/* --- as options take them --- */

static gboolean
is_option (double value)
{
  return value < MAX_OPTION;
}

char *
jm_run_hint_format_memory (double bytes)
{
  if (!is_option (bytes))
    return NULL;

  return fmod (bytes, GIB) == 0 ? g_strdup_printf ("%.0fG", bytes / GIB)
                                : g_strdup_printf ("%.0fM", ceil (bytes / MIB));
}

char *
jm_run_hint_format_time (double seconds)
{
  const guint64 whole = is_option (seconds) ? (guint64) round_up (seconds, 60) : 0;
  const guint64 days = whole / 86400;
  const guint hours = (guint) (whole / 3600 % 24);
  const guint minutes = (guint) (whole / 60 % 60);

  if (!is_option (seconds))
    return NULL;

  return days > 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT "-%02u:%02u:00", days, hours,
                                     minutes)
                  : g_strdup_printf ("%02u:%02u:00", hours, minutes);
}

static const struct
{
  const char *name;
  JmFormat format;
  Reckon reckon;
  char *(*write) (double value);
} hints[] = {
  { "running", JM_FORMAT_COUNT, get_running },
  { "has_gpus", JM_FORMAT_COUNT, get_has_gpus },
  { "failing_gpus", JM_FORMAT_COUNT, jm_run_evidence_count_failing_gpus },
  { "gpu_throttled_percent", JM_FORMAT_PERCENT, jm_run_evidence_get_gpu_throttled },
  { "lagging_nodes", JM_FORMAT_COUNT, jm_run_evidence_count_lagging_nodes },
  { "lagging_gpus", JM_FORMAT_COUNT, jm_run_evidence_count_lagging_gpus },
  { "memory_unused_tib_hours", JM_FORMAT_COUNT, get_memory_hours },
  { "memory_suggested", JM_FORMAT_BYTES, get_memory_suggested,
    jm_run_hint_format_memory },
  { "memory_per_cpu_suggested", JM_FORMAT_BYTES, get_memory_per_cpu_suggested,
    jm_run_hint_format_memory },
  { "memory_more", JM_FORMAT_BYTES, get_memory_more, jm_run_hint_format_memory },
  { "time_suggested", JM_FORMAT_DURATION, get_time_suggested, jm_run_hint_format_time },
  { "time_more", JM_FORMAT_DURATION, get_time_more, jm_run_hint_format_time },
  { "cpus_suggested", JM_FORMAT_COUNT, get_cpus_suggested },
};

gboolean
jm_run_hint_from_name (const char *name, guint *hint)
{
  for (guint i = 0; i < G_N_ELEMENTS (hints); i++)
    if (g_str_equal (name, hints[i].name))
      {
        *hint = i;
        return TRUE;
      }

  return FALSE;
}

const char *
jm_run_hint_get_name (guint hint)
{
  return hints[hint].name;
}

JmFormat
jm_run_hint_get_format (guint hint)
{
  return hints[hint].format;
}

JmFigure
jm_run_hint_get_figure (JmRunReport *report, guint hint)
{
  return hints[hint].reckon (report);
}

char *
jm_run_hint_format (JmRunReport *report, guint hint)
{
  const JmFigure figure = jm_run_hint_get_figure (report, hint);

  return hints[hint].write != NULL && figure.is_known ? hints[hint].write (figure.value)
                                                      : NULL;
}
