/* jm-report-identity.c: who a run was, and when, in words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-report-lines-private.h"

#include <string.h>

#include "core/jm-run-derived-private.h"
#include "judge/jm-run-report-private.h"
#include "report/page/jm-report-html-private.h"

#define MAX_NAMES 8

static const char *
get_text (JmRunReport *report, JmRunField field)
{
  const char *text = jm_run_peek_text (report->run, field);

  return text != NULL && *text != '\0' ? text : NULL;
}

static JmFigure
get_figure (JmRunReport *report, JmQuantityId quantity)
{
  return jm_figures_get (report->figures, quantity);
}

/* --- who --- */

/* Two texts, either of which may be missing; @between begins with a comma. */
static char *
join (const char *first, const char *between, const char *second)
{
  if (second == NULL)
    return g_strdup (first);
  if (first == NULL)
    return g_strconcat (between + strlen (", "), second, NULL);

  return g_strconcat (first, between, second, NULL);
}

static char *
describe_user (JmRunReport *report)
{
  return join (get_text (report, JM_RUN_FIELD_USER), ", account ",
               get_text (report, JM_RUN_FIELD_ACCOUNT));
}

static char *
describe_cluster (JmRunReport *report)
{
  const char *cluster = jm_run_get_cluster (report->run);

  return *cluster != '\0' ? g_strdup (cluster) : NULL;
}

static char *
describe_partition (JmRunReport *report)
{
  return join (get_text (report, JM_RUN_FIELD_PARTITION), ", QOS ",
               get_text (report, JM_RUN_FIELD_QOS));
}

/* --- how it ended --- */

static gboolean
is_failure (const char *state)
{
  static const char *const fine[] = { "COMPLETED", "RUNNING",   "ENDED",
                                      "PENDING",   "SUSPENDED", "COMPLETING" };

  for (guint i = 0; i < G_N_ELEMENTS (fine); i++)
    if (g_str_has_prefix (state, fine[i]))
      return FALSE;

  return TRUE;
}

static void
take_state (GArray *lines, JmRunReport *report)
{
  const char *state = get_text (report, JM_RUN_FIELD_STATE);
  const char *reason = jm_run_derived_get_reason (report->run);
  GString *text;
  gint64 number;

  if (state == NULL)
    return;

  text = g_string_new (state);
  if (reason != NULL)
    g_string_append_printf (text, ", %s", reason);
  if (jm_run_get_number (report->run, JM_RUN_FIELD_EXIT_CODE, &number))
    g_string_append_printf (text, ", exit code %" G_GINT64_FORMAT, number);
  if (jm_run_get_number (report->run, JM_RUN_FIELD_EXIT_SIGNAL, &number) && number > 0)
    g_string_append_printf (text, ", by signal %" G_GINT64_FORMAT, number);
  jm_report_lines_take_toned (lines, "State", g_string_free (text, FALSE),
                              is_failure (state) ? JM_REPORT_TONE_POOR
                                                 : JM_REPORT_TONE_PLAIN);
}

/* --- what it was given --- */

static char *
format (JmRunReport *report, JmQuantityId quantity)
{
  return jm_figure_format (get_figure (report, quantity),
                           jm_quantity_get (quantity)->format);
}

/* Of nodes of which the scheduler has written no list, where they are few. */
static char *
join_nodes (JmRunReport *report)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; report->nodes->len <= MAX_NAMES && i < report->nodes->len; i++)
    {
      const char *name = jm_run_report_peek_node (report, i)->name;

      if (*name != '\0')
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
    }

  return g_string_free (names, FALSE);
}

static char *
describe_nodes (JmRunReport *report)
{
  g_autofree char *count = format (report, JM_QUANTITY_NODES);
  const char *listed = get_text (report, JM_RUN_FIELD_NODE_LIST);
  g_autofree char *joined = listed == NULL ? join_nodes (report) : NULL;
  const char *list = listed != NULL ? listed : joined;
  g_autofree char *cut = NULL;

  if (*list == '\0')
    return g_steal_pointer (&count);

  if (strlen (list) > JM_REPORT_MAX_LIST_CHARACTERS)
    cut = g_strdup_printf ("%.*s...", JM_REPORT_MAX_LIST_CHARACTERS, list);

  return count != NULL ? g_strdup_printf ("%s (%s)", count, cut != NULL ? cut : list)
                       : g_strdup (cut != NULL ? cut : list);
}

static char *
describe_memory (JmRunReport *report)
{
  g_autofree char *given = format (report, JM_QUANTITY_MEMORY_ALLOCATED);
  g_autofree char *per_cpu = format (report, JM_QUANTITY_MEMORY_PER_CPU);
  JmFigure nodes = get_figure (report, JM_QUANTITY_NODES);
  const gboolean has_several = nodes.is_known && nodes.value > 1;

  if (given == NULL)
    return NULL;

  return g_strconcat (given, has_several ? " on each node" : "",
                      per_cpu != NULL ? ", " : "", per_cpu != NULL ? per_cpu : "",
                      per_cpu != NULL ? " for each CPU" : "", NULL);
}

static void
add_request (GString *text,
             JmRunReport *report,
             JmRunField field,
             JmFormat format,
             const char *of_what)
{
  JmFigure figure = jm_run_derived_get_figure (report->run, field);
  g_autofree char *value = jm_figure_format (figure, format);

  if (figure.is_known && figure.value > 0)
    g_string_append_printf (text, "%s%s%s%s", text->len > 0 ? ", " : "", value, of_what,
                            format == JM_FORMAT_COUNT && figure.value > 1 ? "s" : "");
}

/* Of one that was given nothing yet. */
static char *
describe_request (JmRunReport *report)
{
  GString *text = g_string_new (NULL);

  if (jm_run_derived_is_waiting (report->run))
    {
      add_request (text, report, JM_RUN_FIELD_MEMORY_REQUESTED, JM_FORMAT_BYTES,
                   " of memory");
      add_request (text, report, JM_RUN_FIELD_GPUS_REQUESTED, JM_FORMAT_COUNT, " GPU");
      add_request (text, report, JM_RUN_FIELD_TIME_LIMIT, JM_FORMAT_DURATION,
                   " at most");
    }

  return g_string_free (text, text->len == 0);
}

/* --- when --- */

/* With its zone: a report is read elsewhere than where it is made. */
static char *
format_moment (JmRunReport *report, JmRunField field, GTimeZone *zone)
{
  const JmFigure figure = jm_run_derived_get_figure (report->run, field);
  g_autoptr (GDateTime) utc =
    figure.is_known ? g_date_time_new_from_unix_utc ((gint64) figure.value) : NULL;
  g_autoptr (GDateTime) moment =
    utc != NULL ? g_date_time_to_timezone (utc, zone) : NULL;

  if (moment == NULL)
    return jm_figure_format (figure, JM_FORMAT_TIME);

  return g_date_time_format (moment, "%Y-%m-%d %H:%M:%S %Z");
}

static char *
describe_begin (JmRunReport *report, GTimeZone *zone)
{
  g_autofree char *moment = format_moment (report, JM_RUN_FIELD_START_TIME, zone);
  g_autofree char *wait = format (report, JM_QUANTITY_WAIT);

  if (moment == NULL || wait == NULL)
    return g_steal_pointer (&moment);

  return g_strdup_printf ("%s, after it waited for %s", moment, wait);
}

static char *
describe_duration (JmRunReport *report)
{
  g_autofree char *elapsed = format (report, JM_QUANTITY_ELAPSED);
  g_autofree char *limit = format (report, JM_QUANTITY_TIME_LIMIT);

  if (elapsed == NULL)
    return NULL;

  return g_strconcat (elapsed, limit != NULL ? " of at most " : "",
                      limit != NULL ? limit : "",
                      jm_run_report_is_running (report) ? ", and goes on" : "", NULL);
}

/* --- where it comes from --- */

static gboolean
is_told_by (JmRunReport *report, JmRunSource source)
{
  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    if (i != JM_RUN_FIELD_KEPT_UNTIL && jm_run_peek_source (report->run, i) == source)
      return TRUE;

  return FALSE;
}

/* Beside the accounting, which knows of no node what it did there. */
static char *
describe_records (JmRunReport *report)
{
  const guint n_nodes = report->nodes->len;
  guint n_records = 0;

  for (guint i = 0; i < n_nodes; i++)
    n_records += jm_run_report_peek_node (report, i)->record != NULL;
  if (n_records == 0)
    return NULL;
  if (n_nodes == 1)
    return g_strdup ("its node");

  return g_strdup_printf ("%u of %u nodes", n_records, n_nodes);
}

static char *
describe_tellers (JmRunReport *report)
{
  static const char *const names[JM_N_RUN_SOURCES] = {
    [JM_RUN_SOURCE_ACCOUNTING] = "the scheduler's accounting",
    [JM_RUN_SOURCE_TIME_SERIES] = "a time series database",
    [JM_RUN_SOURCE_LEDGER] = "ledgers of nodes",
  };
  g_autofree char *records = describe_records (report);
  g_autoptr (GPtrArray) tellers = g_ptr_array_new ();

  for (guint i = JM_RUN_SOURCE_ACCOUNTING; i < JM_N_RUN_SOURCES; i++)
    if (is_told_by (report, i) && (i != JM_RUN_SOURCE_LEDGER || records == NULL))
      g_ptr_array_add (tellers, (char *) names[i]);
  if (records != NULL)
    g_ptr_array_add (tellers, records);
  if (tellers->len == 0)
    return NULL;
  g_ptr_array_add (tellers, NULL);

  return g_strjoinv (", ", (char **) tellers->pdata);
}

static char *
describe_observed (JmRunReport *report)
{
  g_autofree char *share = format (report, JM_QUANTITY_OBSERVED);

  return share != NULL ? g_strconcat (share, " of its life", NULL) : NULL;
}

/* --- all of it --- */

GArray *
jm_report_identity_list (JmRunReport *report, GTimeZone *zone)
{
  GArray *lines = jm_report_lines_new ();

  jm_report_lines_take (lines, "Job name",
                        g_strdup (get_text (report, JM_RUN_FIELD_NAME)));
  jm_report_lines_take (lines, "User", describe_user (report));
  take_state (lines, report);
  jm_report_lines_take (lines, "Cluster", describe_cluster (report));
  jm_report_lines_take (lines, "Partition", describe_partition (report));
  jm_report_lines_take (lines, "Nodes", describe_nodes (report));
  jm_report_lines_take (lines, "CPUs", format (report, JM_QUANTITY_CPUS));
  jm_report_lines_take (lines, "Memory", describe_memory (report));
  jm_report_lines_take (lines, "GPUs", format (report, JM_QUANTITY_GPUS_ALLOCATED));
  jm_report_lines_take (lines, "Asks for", describe_request (report));
  jm_report_lines_take (lines, "Submitted",
                        format_moment (report, JM_RUN_FIELD_SUBMIT_TIME, zone));
  jm_report_lines_take (lines, "Began", describe_begin (report, zone));
  if (!jm_run_report_is_running (report))
    jm_report_lines_take (lines, "Ended",
                          format_moment (report, JM_RUN_FIELD_END_TIME, zone));
  jm_report_lines_take (lines, "Run time", describe_duration (report));
  jm_report_lines_take (lines, "UUID", g_strdup (get_text (report, JM_RUN_FIELD_UUID)));
  jm_report_lines_take (lines, "Found in", g_strdup (report->origin));
  jm_report_lines_take (lines, "Source", describe_tellers (report));
  jm_report_lines_take (lines, "Observed", describe_observed (report));

  return lines;
}
