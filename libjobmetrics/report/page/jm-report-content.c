/* jm-report-content.c: what a report says, whatever it is written on
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-report-content-private.h"

#include "base/jm-safe-text-private.h"
#include "core/jm-run-derived-private.h"
#include "judge/jm-run-advice-private.h"
#include "judge/jm-run-figures-private.h"
#include "judge/jm-run-verdict.h"
#include "report/page/jm-equivalence-private.h"
#include "report/page/jm-report-tables-private.h"

#define JOULES_PER_KWH 3.6e6
/* Less is shown as being less. */
#define LEAST_KWH 0.001

/* Shares below which what should be used is little used, and hardly. */
#define FAIR_USE 60
#define POOR_USE 30
/* From here on what has an end is nearly full. */
#define NEARLY_FULL 95

/* Of one report at most. */
#define MAX_HINTS 50

/* --- verdict --- */

static const JmReportTone verdict_tones[JM_N_VERDICT_KINDS] = {
  [JM_VERDICT_KIND_GOOD] = JM_REPORT_TONE_GOOD,
  [JM_VERDICT_KIND_WASTE] = JM_REPORT_TONE_FAIR,
  [JM_VERDICT_KIND_TROUBLE] = JM_REPORT_TONE_POOR,
};

static GArray *
list_verdict (JmRunReport *report, GPtrArray *advice)
{
  g_autoptr (JmRunVerdict) verdict =
    advice != NULL ? jm_run_verdict_new (report, advice) : NULL;
  GArray *lines = jm_report_lines_new ();

  if (verdict == NULL)
    return lines;

  jm_report_lines_take (lines, "Cause", g_strdup (jm_run_verdict_get_cause (verdict)));
  jm_report_lines_take_toned (lines, "Verdict", jm_run_verdict_to_string (verdict),
                              verdict_tones[jm_run_verdict_get_kind (verdict)]);
  if (!jm_run_verdict_names_cause (verdict))
    jm_report_lines_take (lines, "Reason",
                          g_strdup (jm_run_verdict_get_sentence (verdict)));
  jm_report_lines_take (lines, "Next step",
                        g_strdup (jm_run_verdict_get_next_step (verdict)));

  return lines;
}

/* --- bars --- */

static JmReportTone
judge_use (JmFigure share)
{
  if (!share.is_known)
    return JM_REPORT_TONE_PLAIN;
  if (share.value < POOR_USE)
    return JM_REPORT_TONE_POOR;

  return share.value < FAIR_USE ? JM_REPORT_TONE_FAIR : JM_REPORT_TONE_GOOD;
}

/* A core is busy when one of its threads is. */
static JmReportTone
judge_cpus (const JmFigures *figures)
{
  const JmFigure cores = jm_figures_get (figures, JM_QUANTITY_CPU_CORE_USE);

  if (cores.is_known)
    return judge_use (cores);

  return judge_use (jm_figures_get (figures, JM_QUANTITY_CPU_EFFICIENCY));
}

static JmReportTone
judge_room (JmFigure share)
{
  return share.is_known && share.value >= NEARLY_FULL ? JM_REPORT_TONE_POOR
                                                      : JM_REPORT_TONE_PLAIN;
}

static void
add_bar (GArray *bars, const char *title, JmFigure share, JmReportTone tone)
{
  const JmReportBar bar = { title, share, tone };

  g_array_append_val (bars, bar);
}

static gboolean
has_gpus (JmRunReport *report)
{
  const JmFigure given = jm_figures_get (report->figures, JM_QUANTITY_GPUS_ALLOCATED);

  return report->gpus->len > 0 || (given.is_known && given.value > 0) ||
         jm_figures_get (report->figures, JM_QUANTITY_GPU_UTILIZATION_SHARE).is_known;
}

/* CPUs that only feed accelerators may rest. */
static GArray *
list_bars (JmRunReport *report)
{
  GArray *bars = g_array_new (FALSE, FALSE, sizeof (JmReportBar));
  const JmFigures *figures = report->figures;
  const gboolean is_on_gpus = has_gpus (report);

  add_bar (bars, "CPUs", jm_figures_get (figures, JM_QUANTITY_CPU_EFFICIENCY),
           is_on_gpus ? JM_REPORT_TONE_PLAIN : judge_cpus (figures));
  add_bar (bars, "Memory", jm_figures_get (figures, JM_QUANTITY_MEMORY_SHARE),
           judge_room (jm_figures_get (figures, JM_QUANTITY_MEMORY_SHARE)));
  if (is_on_gpus)
    {
      add_bar (bars, "GPUs",
               jm_figures_get (figures, JM_QUANTITY_GPU_UTILIZATION_SHARE),
               judge_use (jm_figures_get (figures, JM_QUANTITY_GPU_UTILIZATION_SHARE)));
      add_bar (bars, "GPU memory",
               jm_figures_get (figures, JM_QUANTITY_GPU_MEMORY_SHARE),
               JM_REPORT_TONE_PLAIN);
    }
  add_bar (bars, "Time", jm_figures_get (figures, JM_QUANTITY_TIME_SHARE),
           judge_room (jm_figures_get (figures, JM_QUANTITY_TIME_SHARE)));

  return bars;
}

char *
jm_report_bar_format (const JmReportBar *self)
{
  char *text = jm_figure_format (self->share, JM_FORMAT_PERCENT);

  return text != NULL ? text : g_strdup (JM_REPORT_ABSENT);
}

/* --- energy --- */

/* `120kJ (0.033kWh)`; from a kilowatt-hour on the other way round. */
static char *
format_energy (JmFigure energy)
{
  g_autofree char *text = jm_figure_format (energy, JM_FORMAT_JOULES);
  const double kwh = energy.value / JOULES_PER_KWH;

  if (text == NULL)
    return NULL;
  if (kwh >= 1)
    return g_strdup_printf ("%s (%.0fMJ)", text, energy.value / 1e6);
  if (kwh < LEAST_KWH)
    return g_strdup_printf ("%s (less than 0.001kWh)", text);

  return g_strdup_printf ("%s (%.3fkWh)", text, kwh);
}

/* Accounting does not say whether its figure was measured. */
static const char *
describe_quality (JmRun *run, JmFigure energy)
{
  if (energy.is_estimated)
    return ", in part or as a whole estimated";

  return jm_run_peek_source (run, JM_RUN_FIELD_ENERGY) == JM_RUN_SOURCE_ACCOUNTING
           ? ", by the scheduler's accounting"
           : ", all of it measured";
}

static char *
describe_energy (JmRun *run, JmFigure energy)
{
  g_autofree char *text = format_energy (energy);

  if (text == NULL)
    return g_strdup ("unknown, neither measured nor estimated");

  return g_strconcat (text, describe_quality (run, energy), NULL);
}

static char *
describe_lost (JmFigure lost)
{
  g_autofree char *text = format_energy (lost);

  return text != NULL ? g_strconcat (text, ", as it did not come to a good end", NULL)
                      : NULL;
}

static char *
describe_emissions (JmFigure emissions)
{
  g_autofree char *text = jm_figure_format (emissions, JM_FORMAT_GRAMS);

  return text != NULL ? g_strconcat (text, " of CO2 equivalent", NULL) : NULL;
}

static GArray *
list_energy (JmRunReport *report)
{
  const JmFigure emissions = jm_figures_get (report->figures, JM_QUANTITY_EMISSIONS);
  GArray *lines = jm_report_lines_new ();

  jm_report_lines_take (lines, "Energy",
                        describe_energy (report->run,
                                         jm_figures_get (report->figures,
                                                         JM_QUANTITY_ENERGY)));
  jm_report_lines_take (lines, "For nothing",
                        describe_lost (
                          jm_figures_get (report->figures, JM_QUANTITY_ENERGY_LOST)));
  jm_report_lines_take (lines, "Emissions", describe_emissions (emissions));
  if (emissions.is_known)
    jm_report_lines_take (lines, "As much as",
                          jm_equivalence_describe (emissions.value));

  return lines;
}

/* --- what else is known --- */

static const JmQuantityId further[] = {
#include "core/jm-report-figures.inc"
};

static GArray *
list_figures (JmRunReport *report)
{
  GArray *lines = jm_report_lines_new ();

  for (guint i = 0; i < G_N_ELEMENTS (further); i++)
    jm_report_lines_take (lines, jm_quantity_get (further[i])->title,
                          jm_run_figures_format (further[i],
                                                 jm_figures_get (report->figures,
                                                                 further[i])));

  return lines;
}

/* --- advice --- */

static const JmReportTone hint_tones[JM_N_ADVICE_LEVELS] = {
  [JM_ADVICE_LEVEL_NOTE] = JM_REPORT_TONE_PLAIN,
  [JM_ADVICE_LEVEL_WARNING] = JM_REPORT_TONE_FAIR,
  [JM_ADVICE_LEVEL_ACT] = JM_REPORT_TONE_POOR,
};

static void
hint_clear (gpointer data)
{
  JmReportHint *self = data;

  g_free (self->title);
  g_free (self->reason);
  g_free (self->action);
}

static char *
make_safe (const char *text)
{
  return text != NULL && *text != '\0' ? jm_safe_text_make (text) : NULL;
}

/* What is to be done may have lines of its own, such as those of a batch script. */
static char *
make_safe_lines (const char *text)
{
  GString *lines;

  if (text == NULL || *text == '\0')
    return NULL;

  lines = g_string_new (text);
  jm_safe_text_make_lines (lines);

  return g_string_free (lines, FALSE);
}

/* Of JmReportHint; none for @advice that is NULL. */
static GArray *
list_hints (GPtrArray *advice)
{
  GArray *hints = g_array_new (FALSE, FALSE, sizeof (JmReportHint));

  g_array_set_clear_func (hints, hint_clear);
  for (guint i = 0; advice != NULL && i < MIN (advice->len, MAX_HINTS); i++)
    {
      JmRunAdvice *piece = advice->pdata[i];
      const JmAdviceLevel level = jm_run_advice_get_level (piece);
      const JmReportHint hint = { jm_advice_level_get_name (level), hint_tones[level],
                                  make_safe (jm_run_advice_get_title (piece)),
                                  make_safe_lines (jm_run_advice_get_reason (piece)),
                                  make_safe_lines (jm_run_advice_get_action (piece)) };

      g_array_append_val (hints, hint);
    }

  return hints;
}

/* --- all of it --- */

static void
take_table (GPtrArray *tables, JmReportTable *table)
{
  if (table != NULL)
    g_ptr_array_add (tables, table);
}

static gboolean
has_estimates (JmRunReport *report)
{
  return jm_figures_get (report->figures, JM_QUANTITY_ENERGY).is_estimated ||
         jm_figures_get (report->figures, JM_QUANTITY_EMISSIONS).is_estimated;
}

static char *
make_title (JmRunReport *report)
{
  g_autofree char *title =
    g_strconcat ("Job ", jm_run_get_text (report->run, "jobid"), NULL);

  return jm_safe_text_make (title);
}

static char *
describe_who (GArray *identity)
{
  const char *name = jm_report_lines_find (identity, "Job name");
  const char *user = jm_report_lines_find (identity, "User");
  const char *state = jm_report_lines_find (identity, "State");
  const gboolean has_both = name != NULL && user != NULL;
  g_autofree char *who = g_strconcat (name != NULL ? name : "", has_both ? ", " : "",
                                      user != NULL ? user : "", NULL);

  return g_strconcat (who, *who != '\0' && state != NULL ? ": " : "", state, NULL);
}

/* `2 nodes`; nothing where it is not known. */
static void
append_amount (GString *line,
               JmRunReport *report,
               JmQuantityId quantity,
               const char *noun)
{
  const JmFigure figure = jm_figures_get (report->figures, quantity);
  g_autofree char *text = jm_figure_format (figure, jm_quantity_get (quantity)->format);
  const gboolean is_several =
    jm_quantity_get (quantity)->format == JM_FORMAT_COUNT && figure.value > 1;

  if (text != NULL)
    g_string_append_printf (line, "%s%s%s%s", line->len > 0 ? ", " : "", text, noun,
                            is_several ? "s" : "");
}

static char *
make_brief (JmRunReport *report)
{
  const JmFigure nodes = jm_figures_get (report->figures, JM_QUANTITY_NODES);
  GString *line = g_string_new (NULL);

  append_amount (line, report, JM_QUANTITY_NODES, " node");
  append_amount (line, report, JM_QUANTITY_CPUS, " CPU");
  if (jm_figures_get (report->figures, JM_QUANTITY_GPUS_ALLOCATED).value > 0)
    append_amount (line, report, JM_QUANTITY_GPUS_ALLOCATED, " GPU");
  append_amount (line, report, JM_QUANTITY_MEMORY_ALLOCATED,
                 nodes.value > 1 ? " on each" : "");
  append_amount (line, report, JM_QUANTITY_ELAPSED,
                 jm_run_report_is_running (report) ? " so far" : "");

  return g_string_free (line, FALSE);
}

JmReportContent *
jm_report_content_new (JmRunReport *report, GPtrArray *advice)
{
  g_autoptr (GTimeZone) here = g_time_zone_new_local ();

  return jm_report_content_new_in_zone (report, advice, here);
}

JmReportContent *
jm_report_content_new_in_zone (JmRunReport *report, GPtrArray *advice, GTimeZone *zone)
{
  JmReportContent *self = g_new0 (JmReportContent, 1);

  self->title = make_title (report);
  self->brief = make_brief (report);
  self->verdict = list_verdict (report, advice);
  self->identity = jm_report_identity_list (report, zone);
  self->who = describe_who (self->identity);
  self->bars = list_bars (report);
  self->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_report_table_free);
  take_table (self->tables, jm_report_tables_make_nodes (report));
  take_table (self->tables, jm_report_tables_make_gpus (report));
  self->hints = list_hints (advice);
  self->energy = list_energy (report);
  self->meters = jm_report_tables_make_energy (report);
  self->figures = list_figures (report);
  self->notes = jm_report_lines_new ();
  self->is_estimated = has_estimates (report);
  if (jm_run_derived_is_waiting (report->run))
    {
      g_array_set_size (self->bars, 0);
      g_array_set_size (self->energy, 0);
    }

  return self;
}

void
jm_report_content_free (JmReportContent *self)
{
  g_free (self->title);
  g_free (self->who);
  g_free (self->brief);
  g_array_unref (self->verdict);
  g_array_unref (self->identity);
  g_array_unref (self->bars);
  g_ptr_array_unref (self->tables);
  g_array_unref (self->hints);
  g_array_unref (self->energy);
  g_clear_pointer (&self->meters, jm_report_table_free);
  g_array_unref (self->figures);
  g_array_unref (self->notes);
  g_free (self);
}
