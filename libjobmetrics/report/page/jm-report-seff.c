/* jm-report-seff.c: the report of a run as Slurm's seff prints it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-report.h"

#include "base/jm-safe-text-private.h"
#include "core/jm-run-field-private.h"
#include "judge/jm-run-report-private.h"

#define DAY 86400
#define KIB 1024.0
/* Beyond this nothing is a time. */
#define MAX_SECONDS 1e12

static JmFigure
get (JmRunReport *report, JmQuantityId quantity)
{
  return jm_figures_get (report->figures, quantity);
}

static void
add_text (GString *text, const char *title, const char *value, const char *more)
{
  g_autofree char *safe = value != NULL ? jm_safe_text_make (value) : NULL;

  if (safe != NULL && *safe != '\0')
    g_string_append_printf (text, "%s: %s%s\n", title, safe, more);
}

/* `1-02:03:04`. */
static char *
format_time (JmFigure seconds)
{
  const guint64 whole = (guint64) CLAMP (seconds.value, 0, MAX_SECONDS);
  const guint64 days = whole / DAY;
  const guint rest = (guint) (whole % DAY);
  g_autofree char *clock =
    g_strdup_printf ("%02u:%02u:%02u", rest / 3600, rest / 60 % 60, rest % 60);

  return days > 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT "-%s", days, clock)
                  : g_steal_pointer (&clock);
}

/* A number with the point of C, whatever the locale says. */
static char *
format_number (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (text, sizeof text, "%.2f", value));
}

/* `2.00 GB`, which seff counts by 1024. */
static char *
format_memory (JmFigure bytes)
{
  static const char *const units[] = { "KB", "MB", "GB", "TB", "PB" };
  double value = bytes.value / KIB;
  guint unit = 0;
  g_autofree char *number = NULL;

  for (; value >= KIB && unit + 1 < G_N_ELEMENTS (units); unit++)
    value /= KIB;
  number = format_number (value);

  return g_strconcat (number, " ", units[unit], NULL);
}

typedef char *(*Write) (JmFigure figure);

static void
add_figure (GString *text, const char *title, JmFigure figure, Write write)
{
  g_autofree char *value = figure.is_known ? write (figure) : NULL;

  add_text (text, title, value, "");
}

/* `50.00% of 8.00 GB`. */
static void
add_share (GString *text,
           const char *title,
           JmFigure share,
           JmFigure of,
           Write write,
           const char *noun)
{
  g_autofree char *percent = format_number (share.value);
  g_autofree char *whole = of.is_known ? write (of) : NULL;

  if (share.is_known && whole != NULL)
    g_string_append_printf (text, "%s: %s%% of %s%s\n", title, percent, whole, noun);
}

static void
add_identity (GString *text, JmRunReport *report)
{
  JmRun *run = report->run;
  const char *raw_id = jm_run_get_raw_id (run);
  const char *id = jm_run_get_text (run, "jobid");
  g_autofree char *exit_code = NULL;
  gint64 code;

  if (jm_run_get_number (run, JM_RUN_FIELD_EXIT_CODE, &code))
    exit_code = g_strdup_printf (" (exit code %" G_GINT64_FORMAT ")", code);
  add_text (text, "Job ID", *raw_id != '\0' ? raw_id : id, "");
  if (jm_run_peek_text (run, JM_RUN_FIELD_ARRAY_JOBID) != NULL)
    add_text (text, "Array Job ID", id, "");
  add_text (text, "Cluster", jm_run_get_cluster (run), "");
  add_text (text, "User/Group", jm_run_peek_text (run, JM_RUN_FIELD_USER), "/-");
  add_text (text, "State", jm_run_peek_text (run, JM_RUN_FIELD_STATE),
            exit_code != NULL ? exit_code : "");
}

/* seff has one line of a single core, and else two. */
static void
add_cores (GString *text, JmRunReport *report)
{
  const JmFigure cpus = get (report, JM_QUANTITY_CPUS);
  const JmFigure nodes = get (report, JM_QUANTITY_NODES);

  if (cpus.is_known && cpus.value == 1)
    g_string_append (text, "Cores: 1\n");
  else if (cpus.is_known && nodes.is_known && nodes.value > 0)
    g_string_append_printf (text, "Nodes: %.0f\nCores per node: %.0f\n", nodes.value,
                            cpus.value / nodes.value);
}

/**
 * jm_run_report_to_seff:
 * @self: a report
 *
 * Makes of a report the lines that scripts read from Slurm's seff. A missing figure has
 * no line, where seff prints zero. The group of the user is not kept: there is a dash.
 *
 * Returns: (transfer full): lines of text
 * Since: 0.1
 */
char *
jm_run_report_to_seff (JmRunReport *self)
{
  const JmFigure nodes = get (self, JM_QUANTITY_NODES);
  const JmFigure share = get (self, JM_QUANTITY_MEMORY_SHARE);
  const JmFigure given =
    jm_figures_multiply (get (self, JM_QUANTITY_MEMORY_ALLOCATED), nodes);
  JmFigure used = jm_figures_multiply (share, given);
  GString *text = g_string_new (NULL);

  used.value /= 100;
  if (!used.is_known)
    used = get (self, JM_QUANTITY_MEMORY_PEAK);
  add_identity (text, self);
  add_cores (text, self);
  add_figure (text, "CPU Utilized", get (self, JM_QUANTITY_CPU_TOTAL), format_time);
  add_share (text, "CPU Efficiency", get (self, JM_QUANTITY_CPU_EFFICIENCY),
             get (self, JM_QUANTITY_CPU_AVAILABLE), format_time, " core-walltime");
  add_figure (text, "Job Wall-clock time", get (self, JM_QUANTITY_ELAPSED),
              format_time);
  add_figure (text, "Memory Utilized", used, format_memory);
  add_share (text, "Memory Efficiency", share, given, format_memory, "");

  return g_string_free (text, FALSE);
}
