/* jmc-run-summary.c: what a command has used, as run reports it at its end
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "run/jmc-run-summary.h"

#include <string.h>

#include "base/jm-json-writer-private.h"
#include "base/jm-safe-text-private.h"
#include "base/jm-text-table-private.h"
#include "core/jm-derived.h"
#include "core/jm-quantity-private.h"

#define BOLD "\033[1m"
#define PLAIN "\033[0m"
#define RUSAGE_BLOCK 512 /* see getrusage(2): whatever the device's block size */
#define INDENT 2

/* Of what takes less time, starting and ending are the greater part. */
#define LEAST_SECONDS 1

static const JmQuantityId quantities[JMC_N_RUN_SUMMARY_FIGURES] = {
  [JMC_RUN_SUMMARY_CPU_USER] = JM_QUANTITY_CPU_USER,
  [JMC_RUN_SUMMARY_CPU_SYSTEM] = JM_QUANTITY_CPU_SYSTEM,
  [JMC_RUN_SUMMARY_CPU_TOTAL] = JM_QUANTITY_CPU_TOTAL,
  [JMC_RUN_SUMMARY_CPUS] = JM_QUANTITY_CPUS,
  [JMC_RUN_SUMMARY_EFFICIENCY] = JM_QUANTITY_CPU_EFFICIENCY,
  [JMC_RUN_SUMMARY_MEMORY_PEAK] = JM_QUANTITY_MEMORY_PEAK,
  [JMC_RUN_SUMMARY_LARGEST_PROCESS] = JM_QUANTITY_LARGEST_PROCESS,
  [JMC_RUN_SUMMARY_READ_BYTES] = JM_QUANTITY_IO_READ_BYTES,
  [JMC_RUN_SUMMARY_WRITE_BYTES] = JM_QUANTITY_IO_WRITE_BYTES,
  [JMC_RUN_SUMMARY_PROCESSES] = JM_QUANTITY_PROCESSES_SPAWNED,
  [JMC_RUN_SUMMARY_ENERGY] = JM_QUANTITY_ENERGY,
  [JMC_RUN_SUMMARY_EMISSIONS] = JM_QUANTITY_EMISSIONS,
};

JmcRunSummary *
jmc_run_summary_new (const char *job_id, const char *name, char **command)
{
  JmcRunSummary *self = g_new0 (JmcRunSummary, 1);

  self->job_id = g_strdup (job_id);
  self->name = g_strdup (name);
  self->command = g_strdupv (command);
  self->notes = g_ptr_array_new_with_free_func (g_free);

  return self;
}

void
jmc_run_summary_free (JmcRunSummary *self)
{
  g_free (self->job_id);
  g_free (self->name);
  g_strfreev (self->command);
  g_free (self->cgroup);
  g_ptr_array_unref (self->notes);
  g_free (self);
}

/* Sets a figure that is known; what is known already stays. */
void
jmc_run_summary_set (JmcRunSummary *self,
                     JmcRunSummaryFigure which,
                     JmFigure figure,
                     const char *source)
{
  if (!figure.is_known || self->figures[which].is_known)
    return;

  self->figures[which] = figure;
  self->sources[which] = source;
}

void
jmc_run_summary_add_note (JmcRunSummary *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (self->notes, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

/* Takes what the job's cgroup says. */
void
jmc_run_summary_take_snapshot (JmcRunSummary *self, JmSnapshot *snapshot, guint subject)
{
  static const JmcRunSummaryFigure figures[] = {
    JMC_RUN_SUMMARY_CPU_USER,    JMC_RUN_SUMMARY_CPU_SYSTEM,
    JMC_RUN_SUMMARY_CPU_TOTAL,   JMC_RUN_SUMMARY_CPUS,
    JMC_RUN_SUMMARY_MEMORY_PEAK, JMC_RUN_SUMMARY_READ_BYTES,
    JMC_RUN_SUMMARY_WRITE_BYTES,
  };

  /* each is a metric */
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    jmc_run_summary_set (self, figures[i],
                         jm_figure_of_quantity (snapshot, subject,
                                                jm_quantity_get (
                                                  quantities[figures[i]])),
                         JMC_SOURCE_CGROUP);
}

static double
to_seconds (const struct timeval *time)
{
  return (double) time->tv_sec + (double) time->tv_usec / 1e6;
}

/* Takes what the kernel says at the end of the processes that were waited for. */
void
jmc_run_summary_take_usage (JmcRunSummary *self, const struct rusage *usage)
{
  double user = to_seconds (&usage->ru_utime);
  double system = to_seconds (&usage->ru_stime);
  JmFigure largest = { (double) usage->ru_maxrss * 1024, usage->ru_maxrss > 0, FALSE };
  const struct
  {
    JmcRunSummaryFigure which;
    double value;
  } figures[] = {
    { JMC_RUN_SUMMARY_CPU_USER, user },
    { JMC_RUN_SUMMARY_CPU_SYSTEM, system },
    { JMC_RUN_SUMMARY_CPU_TOTAL, user + system },
    { JMC_RUN_SUMMARY_READ_BYTES, (double) usage->ru_inblock * RUSAGE_BLOCK },
    { JMC_RUN_SUMMARY_WRITE_BYTES, (double) usage->ru_oublock * RUSAGE_BLOCK },
  };

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    jmc_run_summary_set (self, figures[i].which, jm_figure_known (figures[i].value),
                         JMC_SOURCE_WAIT);
  jmc_run_summary_set (self, JMC_RUN_SUMMARY_LARGEST_PROCESS, largest,
                       JMC_SOURCE_WAIT_SHARED);
  if (!largest.is_known)
    self->sources[JMC_RUN_SUMMARY_LARGEST_PROCESS] = JMC_SOURCE_TOO_SMALL;
}

/* What all processes together held at most, as far as looking at them now and then
 * shows: the largest of them alone may have held more between two sweeps. */
void
jmc_run_summary_take_sampled_peak (JmcRunSummary *self, JmFigure peak)
{
  JmFigure largest = self->figures[JMC_RUN_SUMMARY_LARGEST_PROCESS];

  if (largest.is_known && (!peak.is_known || largest.value > peak.value))
    peak = largest;
  jmc_run_summary_set (self, JMC_RUN_SUMMARY_MEMORY_PEAK, peak,
                       JMC_SOURCE_SAMPLES_AT_LEAST);
}

/* Works out what follows from the rest. */
void
jmc_run_summary_finish (JmcRunSummary *self)
{
  if (self->elapsed < LEAST_SECONDS)
    {
      self->sources[JMC_RUN_SUMMARY_EFFICIENCY] = JMC_SOURCE_TOO_SHORT;
      return;
    }

  jmc_run_summary_set (self, JMC_RUN_SUMMARY_EFFICIENCY,
                       jm_derived_compute_efficiency (self->figures
                                                        [JMC_RUN_SUMMARY_CPU_TOTAL],
                                                      self
                                                        ->figures[JMC_RUN_SUMMARY_CPUS],
                                                      jm_figure_known (self->elapsed)),
                       self->sources[JMC_RUN_SUMMARY_CPU_TOTAL]);
}

static void
append_title (JmcRunSummary *self, GString *text, gboolean color)
{
  g_autofree char *name = jm_safe_text_make (self->name);
  g_autofree char *elapsed = jm_format_to_string (JM_FORMAT_DURATION, self->elapsed);
  g_autofree char *end =
    self->is_signaled
      ? g_strdup_printf ("ended by signal %d (%s)", self->code, strsignal (self->code))
      : g_strdup_printf ("ended with exit code %d", self->code);

  g_string_append_printf (text, "%sJob %s (%s): %s after %s%s\n", color ? BOLD : "",
                          self->job_id, name, end, elapsed, color ? PLAIN : "");
}

/* Most nodes measure no energy: that is not worth a word each time. */
static gboolean
is_worth_a_line (JmcRunSummary *self, JmcRunSummaryFigure which)
{
  return which < JMC_RUN_SUMMARY_ENERGY || self->figures[which].is_known;
}

static void
append_figures (JmcRunSummary *self, GString *text)
{
  static const JmTextColumn columns[] = {
    { NULL, JM_TEXT_ALIGN_LEFT },
    { NULL, JM_TEXT_ALIGN_RIGHT },
    { NULL, JM_TEXT_ALIGN_LEFT },
  };
  g_autoptr (JmTextTable) table = jm_text_table_new (columns, G_N_ELEMENTS (columns));
  g_autofree char *lines = NULL;

  jm_text_table_set_indent (table, INDENT);
  for (guint i = 0; i < JMC_N_RUN_SUMMARY_FIGURES; i++)
    {
      const JmQuantity *quantity = jm_quantity_get (quantities[i]);

      if (!is_worth_a_line (self, i))
        continue;

      jm_text_table_add (table, quantity->title);
      jm_text_table_take (table, jm_figure_format (self->figures[i], quantity->format));
      jm_text_table_add (table,
                         self->sources[i] != NULL ? self->sources[i] : "not known");
    }

  lines = jm_text_table_render (table, 0, FALSE);
  g_string_append (text, lines);
}

/* The report as text: each figure with where it comes from. */
char *
jmc_run_summary_render (JmcRunSummary *self, gboolean color)
{
  GString *text = g_string_new (NULL);

  append_title (self, text, color);
  append_figures (self, text);
  for (guint i = 0; i < self->notes->len; i++)
    {
      g_autofree char *note = jm_safe_text_make (self->notes->pdata[i]);

      g_string_append_printf (text, "  Note: %s\n", note);
    }

  return g_string_free (text, FALSE);
}

static void
add_texts (JmJsonWriter *json, const char *name, char **texts, guint n_texts)
{
  jm_json_writer_begin_array (json, name);
  for (guint i = 0; i < n_texts; i++)
    jm_json_writer_add_text (json, NULL, texts[i]);
  jm_json_writer_end_array (json);
}

static void
add_figures (JmJsonWriter *json, JmcRunSummary *self)
{
  jm_json_writer_begin_object (json, "figures");
  for (guint i = 0; i < JMC_N_RUN_SUMMARY_FIGURES; i++)
    if (self->figures[i].is_known)
      {
        jm_json_writer_begin_object (json, jm_quantity_get (quantities[i])->name);
        jm_json_writer_add_double (json, "value", self->figures[i].value);
        jm_json_writer_add_text (json, "source", self->sources[i]);
        jm_json_writer_end_object (json);
      }
  jm_json_writer_end_object (json);
}

/* The report as JSON; what is not known is left out. */
char *
jmc_run_summary_to_json (JmcRunSummary *self)
{
  GString *text = g_string_new (NULL);
  JmJsonWriter json = { .out = text, .layout = JM_JSON_PRETTY };

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_add_text (&json, "jobid", self->job_id);
  jm_json_writer_add_text (&json, "name", self->name);
  add_texts (&json, "command", self->command, g_strv_length (self->command));
  jm_json_writer_add_text (&json, "cgroup", self->cgroup);
  jm_json_writer_add_int (&json, self->is_signaled ? "signal" : "exit_code",
                          self->code);
  jm_json_writer_add_double (&json, "start_time", (double) self->start_time_us / 1e6);
  jm_json_writer_add_double (&json, "elapsed_seconds", self->elapsed);
  add_figures (&json, self);
  add_texts (&json, "notes", (char **) self->notes->pdata, self->notes->len);
  jm_json_writer_end_object (&json);
  g_string_append_c (text, '\n');

  return g_string_free (text, FALSE);
}
