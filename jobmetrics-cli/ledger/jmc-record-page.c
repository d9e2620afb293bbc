/* jmc-record-page.c: all that a record says of a job, as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "ledger/jmc-ledger-output.h"

#include <math.h>
#include <string.h>

#include "base/jm-sparkline-private.h"
#include "base/jm-text-table-private.h"
#include "core/jm-job-profile.h"
#include "core/jm-job-record.h"
#include "core/jm-job.h"
#include "pages/jmc-job-page.h"
#include "pages/jmc-job-tables.h"
#include "pages/jmc-pairs.h"

/* What stands on both sides of a line of bars, which has the rest of the terminal. */
#define MARGIN 40
#define NARROWEST 10
#define WIDEST 60

typedef enum
{
  UNIT_CPUS,
  UNIT_BYTES,
  UNIT_BYTES_PER_SECOND,
  UNIT_COUNT,
  UNIT_WATTS,
  UNIT_RATIO,
} Unit;

/* By #JmProfileSeries. A sum is plotted as how fast it grows. */
static const struct
{
  const char *title;
  Unit unit;
} plots[JM_N_PROFILE_SERIES] = {
  [JM_PROFILE_SERIES_CPU] = { "CPU", UNIT_CPUS },
  [JM_PROFILE_SERIES_MEMORY] = { "Memory", UNIT_BYTES },
  [JM_PROFILE_SERIES_READ] = { "Read", UNIT_BYTES_PER_SECOND },
  [JM_PROFILE_SERIES_WRITE] = { "Written", UNIT_BYTES_PER_SECOND },
  [JM_PROFILE_SERIES_THREADS] = { "Threads", UNIT_COUNT },
  [JM_PROFILE_SERIES_ENERGY] = { "Power", UNIT_WATTS },
  [JM_PROFILE_SERIES_GPU_UTILIZATION] = { "GPU", UNIT_RATIO },
  [JM_PROFILE_SERIES_GPU_MEMORY] = { "GPU memory", UNIT_BYTES },
};

#define INDENT 2

static void
append_table (GString *text, JmTextTable *table)
{
  g_autofree char *lines = NULL;

  jm_text_table_set_indent (table, INDENT);
  lines = jm_text_table_render (table, 0, FALSE);
  g_string_append (text, lines);
}

/* --- who it was --- */

/* What is not known of a record is left out. */
static void
add_field (JmTextTable *table, JmJobRecord *record, const char *title, const char *name)
{
  g_autoptr (JmTable) figure = jm_table_new_of_records (name, NULL);

  jm_table_add_record (figure, record);
  jmc_pairs_add_figure (table, title, figure);
}

static const char *
describe_state (JmRunState state)
{
  switch (state)
    {
    case JM_RUN_STATE_RUNNING:
      return "running";
    case JM_RUN_STATE_LOST:
      return "lost: it ended while no exporter ran";
    case JM_RUN_STATE_ENDED:
    default:
      return "ended";
    }
}

static void
append_identity (GString *text, JmJobRecord *record, gboolean color)
{
  g_autoptr (JmTextTable) table = jmc_pairs_new ();
  JmJob *job = jm_job_record_get_job (record);
  g_autofree char *id = jm_job_format_id (job);
  g_autofree char *title = g_strconcat ("Job ", id, NULL);

  jmc_job_identity_add (table, job);
  add_field (table, record, "Node", "node");
  jmc_pairs_add (table, "State", describe_state (jm_job_record_get_state (record)));
  add_field (table, record, "Began", "begin");
  add_field (table, record, "Ended", "ended");
  add_field (table, record, "Elapsed", "elapsed");
  add_field (table, record, "Efficiency", "eff");
  jmc_job_identity_add_uuid (table, job);
  jmc_job_identity_add_origins (table, job);

  jmc_job_page_append_title (text, title, color);
  append_table (text, table);
}

/* --- how much of it was observed --- */

static const char *
describe_method (JmTotalMethod method)
{
  switch (method)
    {
    case JM_TOTAL_METHOD_FINAL:
      return "read when its last process had gone";
    case JM_TOTAL_METHOD_LAST:
      return "as read last before its end; the rest is lost";
    case JM_TOTAL_METHOD_CHECKPOINT:
      return "as stored last, before the exporter or the node ended";
    case JM_TOTAL_METHOD_UNKNOWN:
    default:
      return NULL;
    }
}

/* `energy.package.0` is the energy of socket 0. */
static char *
describe_what (const char *what)
{
  g_auto (GStrv) parts = g_strsplit (what, ".", -1);

  if (g_str_equal (what, "life"))
    return g_strdup ("Life");
  if (g_str_equal (what, "cpu"))
    return g_strdup ("CPU time");
  if (g_str_equal (parts[0], "energy"))
    {
      g_autofree char *rest = g_strjoinv (" ", parts + 1);

      return g_strdup_printf ("Energy%s%s", parts[1] != NULL ? ", " : "", rest);
    }

  return g_strdup (what);
}

static void
append_coverage (GString *text, JmJobRecord *record, gboolean color)
{
  static const JmTextColumn columns[] = {
    { NULL, JM_TEXT_ALIGN_LEFT },
    { NULL, JM_TEXT_ALIGN_RIGHT },
    { NULL, JM_TEXT_ALIGN_LEFT },
  };
  g_autoptr (JmTextTable) table = jm_text_table_new (columns, G_N_ELEMENTS (columns));
  const gboolean is_running = jm_job_record_get_state (record) == JM_RUN_STATE_RUNNING;
  g_auto (GStrv) all = jm_job_record_list_coverage (record);

  if (all[0] == NULL)
    return;

  for (char **what = all; *what != NULL; what++)
    {
      const double ratio = jm_job_record_get_coverage (record, *what);
      const JmTotalMethod method = jm_job_record_get_method (record, *what);

      jm_text_table_take (table, describe_what (*what));
      jm_text_table_take (table, jm_format_to_string (JM_FORMAT_PERCENT, 100 * ratio));
      jm_text_table_add (table, is_running ? "so far" : describe_method (method));
    }
  jmc_job_page_append_title (text, "How much of it was observed", color);
  append_table (text, table);
}

/* --- its course --- */

static char *
format (Unit unit, double value)
{
  g_autofree char *bytes = NULL;

  switch (unit)
    {
    case UNIT_CPUS:
      return g_strdup_printf ("%.1f CPUs", value);
    case UNIT_BYTES:
      return jm_format_to_string (JM_FORMAT_BYTES, value);
    case UNIT_BYTES_PER_SECOND:
      bytes = jm_format_to_string (JM_FORMAT_BYTES, value);
      return g_strconcat (bytes, "/s", NULL);
    case UNIT_WATTS:
      return jm_format_to_string (JM_FORMAT_WATTS, value);
    case UNIT_RATIO:
      return jm_format_to_string (JM_FORMAT_PERCENT, 100 * value);
    case UNIT_COUNT:
    default:
      return jm_format_to_string (JM_FORMAT_COUNT, value);
    }
}

/* Of a level the peaks, of a sum how fast it grew. */
static double *
list_heights (JmJobProfile *profile, JmProfileSeries series, gsize *n_values)
{
  const double seconds =
    (double) jm_job_profile_get_interval (profile) / G_USEC_PER_SEC;
  double *values;

  if (!jm_profile_series_is_sum (series))
    return jm_job_profile_list_peaks (profile, series, n_values);

  values = jm_job_profile_list_values (profile, series, n_values);
  for (gsize i = 0; i < *n_values; i++)
    values[i] /= seconds;

  return values;
}

static double
find_most (const double *values, gsize n_values)
{
  double most = NAN;

  for (gsize i = 0; i < n_values; i++)
    most = fmax (most, values[i]);

  return most;
}

static void
add_series (JmTextTable *table,
            JmJobProfile *profile,
            JmProfileSeries series,
            guint width,
            gboolean is_ascii)
{
  gsize n = 0;
  g_autofree double *values = list_heights (profile, series, &n);
  g_autofree char *most = NULL;

  /* what never was anything has no course */
  if (!(find_most (values, n) > 0))
    return;

  most = format (plots[series].unit, find_most (values, n));
  jm_text_table_add (table, plots[series].title);
  jm_text_table_take (table, jm_sparkline_make (values, n, width, is_ascii));
  jm_text_table_take (table, g_strdup_printf ("at most %s", most));
}

/* A line of bars for each series that was ever above zero, with what the highest stands
 * for;
 * @width is that of the terminal, 0 for none. */
static JmTextTable *
make_plots (JmJobProfile *profile, guint width, gboolean is_ascii)
{
  static const JmTextColumn columns[] = {
    { NULL, JM_TEXT_ALIGN_LEFT },
    { NULL, JM_TEXT_ALIGN_LEFT },
    { NULL, JM_TEXT_ALIGN_LEFT },
  };
  const guint room = width == 0       ? WIDEST
                     : width > MARGIN ? CLAMP (width - MARGIN, NARROWEST, WIDEST)
                                      : NARROWEST;
  JmTextTable *table = jm_text_table_new (columns, G_N_ELEMENTS (columns));

  for (JmProfileSeries i = 0; i < JM_N_PROFILE_SERIES; i++)
    if (jm_job_profile_has (profile, i))
      add_series (table, profile, i, room, is_ascii);

  return table;
}

static void
append_profile (GString *text, JmJobRecord *record, const JmcRecordStyle *style)
{
  JmJobProfile *profile = jm_job_record_get_profile (record);
  g_autoptr (JmTextTable) table = NULL;
  g_autofree char *interval = NULL;
  g_autofree char *title = NULL;

  /* one point says no more than the totals */
  if (profile == NULL || jm_job_profile_get_n_points (profile) < 2)
    return;

  table = make_plots (profile, style->width, style->is_ascii);
  if (jm_text_table_get_n_rows (table) == 0)
    return;

  interval = jm_format_to_string (JM_FORMAT_DURATION,
                                  (double) jm_job_profile_get_interval (profile) /
                                    G_USEC_PER_SEC);
  title = g_strdup_printf ("Over its life (%u points of %s)",
                           jm_job_profile_get_n_points (profile), interval);
  jmc_job_page_append_title (text, title, style->color);
  append_table (text, table);
}

/* What is not known is left out. */
char *
jmc_record_page_render (JmJobRecord *record, const JmcRecordStyle *style)
{
  GString *text = g_string_new (NULL);

  append_identity (text, record, style->color);
  append_coverage (text, record, style->color);
  jmc_job_page_append_figures (text, jm_job_record_get_snapshot (record),
                               JM_RECORD_SUBJECT, style->depth, style->color);
  append_profile (text, record, style);

  return g_string_free (text, FALSE);
}
