/* jme-usage-table.c: sums on pages, by day and by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-usage-table.h"

#include <math.h>

#include "archive/jm-archive.h"
#include "core/jm-format.h"
#include "core/jm-quantity-private.h"
#include "core/jm-usage.h"
#include "server/pages/jme-page-part.h"

#define DAY_SECONDS 86400
/* The last of more. */
#define MAX_DAYS 400
/* Of which the hours are added up. */
#define MAX_RUNS 10000
#define WIDTH 720.0
#define HEIGHT 140.0
#define TOP 18.0
#define BOTTOM 20.0

/* What is drawn. */
typedef struct
{
  GString *out;
  GPtrArray *usages;
  JmUsageQuantity amount;
  JmFormat format;
  gint64 first; /* day */
  gint64 last;
  double most;
} Chart;

#define DAY_SECONDS 86400
#define PRESET_DAYS 30
/* The greatest of more. */
#define MAX_NAMES 100
/* The last of more. */
#define MAX_DAYS 400

/* Figures of sums, and what they are called. */
#define COLUMNS                                                                        \
 "runs,allocated_cpu_seconds,cpu_seconds,allocated_gpu_seconds,energy_joules,"         \
 "emissions_grams"

static const char *const titles[] = { "Runs that began", "CPU hours given",
                                      "CPU hours used",  "GPU hours given",
                                      "Energy",          "CO₂e" };

/* --- a chart --- */

static void
append_number (GString *out, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, g_ascii_formatd (text, sizeof text, "%.1f", number));
}

static void
append_attribute (GString *out, const char *name, double number)
{
  g_string_append_printf (out, " %s=\"", name);
  append_number (out, number);
  g_string_append_c (out, '"');
}

static char *
format_day (gint64 day)
{
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_utc (day);

  return g_date_time_format (moment, "%Y-%m-%d");
}

/* FALSE where nothing is to be drawn. */
static gboolean
measure (Chart *self)
{
  self->first = G_MAXINT64;
  self->last = 0;
  self->most = 0;
  for (guint i = 0; i < self->usages->len; i++)
    {
      JmUsage *usage = self->usages->pdata[i];
      JmFigure figure = jme_part_get_amount (usage, self->amount);

      if (!figure.is_known)
        continue;
      self->first = MIN (self->first, jm_usage_get_day (usage));
      self->last = MAX (self->last, jm_usage_get_day (usage));
      self->most = MAX (self->most, figure.value);
    }
  self->first = MAX (self->first, self->last - (MAX_DAYS - 1) * (gint64) DAY_SECONDS);

  return self->most > 0;
}

static void
append_text (Chart *self, double x, double y, const char *anchor, const char *text)
{
  g_string_append (self->out, "<text");
  append_attribute (self->out, "x", x);
  append_attribute (self->out, "y", y);
  g_string_append_printf (self->out, " text-anchor=\"%s\">", anchor);
  jme_html_append_escaped (self->out, text);
  g_string_append (self->out, "</text>\n");
}

/* Each says what it is of where somebody points at it. */
static void
append_column (Chart *self, JmUsage *usage)
{
  double n_days = (double) ((self->last - self->first) / DAY_SECONDS + 1);
  double width = WIDTH / MAX (n_days, 7);
  double place = (double) ((jm_usage_get_day (usage) - self->first) / DAY_SECONDS);
  JmFigure figure = jme_part_get_amount (usage, self->amount);
  double height = figure.value / self->most * (HEIGHT - TOP - BOTTOM);
  g_autofree char *day = format_day (jm_usage_get_day (usage));
  g_autofree char *text = jme_part_format (figure, self->format);

  if (!figure.is_known || jm_usage_get_day (usage) < self->first)
    return;

  g_string_append (self->out, "<rect class=\"column\"");
  append_attribute (self->out, "x", place * width + width * 0.08);
  append_attribute (self->out, "y", HEIGHT - BOTTOM - height);
  append_attribute (self->out, "width", width * 0.84);
  append_attribute (self->out, "height", height);
  g_string_append_printf (self->out, "><title>%s: %s</title></rect>\n", day, text);
}

static void
append_axes (Chart *self)
{
  g_autofree char *first = format_day (self->first);
  g_autofree char *last = format_day (self->last);
  g_autofree char *most = jme_part_format (jm_figure_known (self->most), self->format);
  double y[] = { TOP, HEIGHT - BOTTOM };

  for (guint i = 0; i < G_N_ELEMENTS (y); i++)
    {
      g_string_append_printf (self->out, "<line class=\"%s\" x1=\"0\"",
                              i == 0 ? "line" : "edge");
      append_attribute (self->out, "x2", WIDTH);
      append_attribute (self->out, "y1", y[i]);
      append_attribute (self->out, "y2", y[i]);
      g_string_append (self->out, "/>\n");
    }
  append_text (self, 0, TOP - 5, "start", most);
  append_text (self, 0, HEIGHT - 5, "start", first);
  if (self->last > self->first)
    append_text (self, WIDTH, HEIGHT - 5, "end", last);
}

static void
append_drawing (Chart *self, const char *title)
{
  g_autofree char *first = format_day (self->first);
  g_autofree char *last = format_day (self->last);
  g_autofree char *most = jme_part_format (jm_figure_known (self->most), self->format);

  g_string_append_printf (self->out,
                          "<figure class=\"chart\"><figcaption>%s</figcaption>\n<div "
                          "class=\"box\">"
                          "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
                          "aria-label=\"%s from %s to %s, at most %s; the table has "
                          "the figures\">\n",
                          title, WIDTH, HEIGHT, title, first, last, most);
  append_axes (self);
  for (guint i = 0; i < self->usages->len; i++)
    append_column (self, self->usages->pdata[i]);
  g_string_append (self->out, "</svg></div></figure>\n");
}

/* Draws one quantity of @usages, which are of a day each, in their order. Days of which
 * nobody knows it have no column; where none is known nothing is drawn. */
static void
append_chart (GString *out,
              GPtrArray *usages,
              JmUsageQuantity amount,
              JmFormat format,
              const char *title)
{
  Chart chart = { .out = out, .usages = usages, .amount = amount, .format = format };

  if (measure (&chart))
    append_drawing (&chart, title);
}

/* --- one row --- */

/* @first is a quantity that stands before the figures; NULL for none. */
static JmTable *
make_table (GPtrArray *usages, const char *first)
{
  g_autofree char *names =
    first != NULL ? g_strconcat (first, "," COLUMNS, NULL) : g_strdup (COLUMNS);
  JmTable *table = jm_table_new_of_sums (names, NULL);

  for (guint i = 0; i < usages->len; i++)
    jm_table_add_usage (table, usages->pdata[i]);

  return table;
}

void
jme_usage_table_set_preset_period (JmeArchiveQuery *query)
{
  if (query->until == 0)
    query->until = g_get_real_time () / G_USEC_PER_SEC + 1;
  if (query->since == 0)
    query->since = MAX (query->until - PRESET_DAYS * DAY_SECONDS, 1);
  jm_run_filter_set_period (query->filter, query->since, query->until);
}

gboolean
jme_usage_table_append_sum (JmeAnswer *answer, JmRunFilter *filter, GError **error)
{
  g_autoptr (GPtrArray) usages =
    jm_archive_database_list_usage (answer->store, filter, JM_USAGE_GROUPS_NONE,
                                    answer->viewer, error);
  g_autoptr (JmTable) table = NULL;

  if (usages == NULL)
    return FALSE;

  table = make_table (usages, NULL);
  g_string_append (answer->text, "<dl class=\"cards\">\n");
  if (usages->len > 0)
    jme_part_append_row_as_facts (answer->text, table, titles);
  else
    jme_part_append_fact (answer->text, "Runs", "none that you may see");
  g_string_append (answer->text, "</dl>\n");

  return TRUE;
}

/* --- rows --- */

static void
append_table (GString *out,
              const char *id,
              const char *caption,
              const char *first,
              JmTable *table,
              guint max_rows,
              const char *path)
{
  jme_html_begin_table (out, id, caption);
  g_string_append (out, "<thead><tr>");
  jme_part_append_column (out, first, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    jme_part_append_column (out, titles[i], TRUE);
  g_string_append (out, "</tr></thead>\n<tbody>\n");
  jme_part_append_rows (out, table, max_rows, path);
  jme_part_end_table (out);
}

static void
append_days (GString *out, GPtrArray *usages)
{
  g_autoptr (JmTable) table = make_table (usages, "day_start_time");

  jm_table_sort (table, "day_start_time", TRUE, NULL);
  append_table (out, "days", "By day, the last first", "Day", table, MAX_DAYS, NULL);
}

gboolean
jme_usage_table_append_days (JmeAnswer *answer,
                             JmRunFilter *filter,
                             gboolean of_energy,
                             GError **error)
{
  GString *out = answer->text;
  g_autoptr (GPtrArray) usages =
    jm_archive_database_list_usage (answer->store, filter, JM_USAGE_GROUPS_DAY,
                                    answer->viewer, error);

  if (usages == NULL)
    return FALSE;
  if (usages->len == 0)
    return TRUE;

  g_string_append (out, "<h2>Days</h2>\n<div class=\"plots\">\n");
  if (!of_energy)
    append_chart (out, usages, JM_USAGE_QUANTITY_CPUS, JME_PART_HOURS,
                  "CPU hours allocated per day");
  append_chart (out, usages, JM_USAGE_QUANTITY_ENERGY, JM_FORMAT_JOULES,
                "Energy per day");
  if (of_energy)
    append_chart (out, usages, JM_USAGE_QUANTITY_EMISSIONS, JM_FORMAT_GRAMS,
                  "CO₂e per day");
  g_string_append (out, "</div>\n");
  append_days (out, usages);

  return TRUE;
}

gboolean
jme_usage_table_append_cluster (JmeAnswer *answer, const char *cluster, GError **error)
{
  static const struct
  {
    JmUsageQuantity amount;
    JmFormat format;
    const char *title;
  } charts[] = {
    { JM_USAGE_QUANTITY_CPUS, JME_PART_HOURS, "CPU hours allocated per day" },
    { JM_USAGE_QUANTITY_CPU_TIME, JME_PART_HOURS, "CPU hours used per day" },
    { JM_USAGE_QUANTITY_GPUS, JME_PART_HOURS, "GPU hours allocated per day" },
    { JM_USAGE_QUANTITY_MEMORY, JM_FORMAT_BYTE_SECONDS, "Memory allocated per day" },
    { JM_USAGE_QUANTITY_ENERGY, JM_FORMAT_JOULES, "Energy per day" },
    { JM_USAGE_QUANTITY_RUNS, JM_FORMAT_COUNT, "Jobs started per day" },
  };
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) usages = NULL;

  jm_run_filter_set_cluster (filter, cluster);
  jm_run_filter_set_period (filter, now - PRESET_DAYS * DAY_SECONDS, now + 1);
  usages = jm_archive_database_list_usage (answer->store, filter, JM_USAGE_GROUPS_DAY,
                                           answer->viewer, error);
  if (usages == NULL)
    return FALSE;
  g_string_append (answer->text, "<div class=\"days\">\n");
  for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
    append_chart (answer->text, usages, charts[i].amount, charts[i].format,
                  charts[i].title);
  g_string_append (answer->text, "</div>\n");

  return TRUE;
}

/* --- by name --- */

gboolean
jme_usage_table_append_names (JmeAnswer *answer,
                              JmRunFilter *filter,
                              JmUsageGroups group,
                              const char *title,
                              const char *path,
                              GError **error)
{
  const char *name = group == JM_USAGE_GROUPS_USER ? "user" : "account";
  g_autoptr (GPtrArray) usages =
    jm_archive_database_list_usage (answer->store, filter, group, answer->viewer,
                                    error);
  g_autoptr (JmTable) table = NULL;
  g_autofree char *caption = NULL;
  g_autofree char *id = g_strconcat (name, "s", NULL);

  if (usages == NULL)
    return FALSE;
  if (usages->len == 0)
    return TRUE;

  /* of equal energy the most CPUs first */
  table = make_table (usages, name);
  jm_table_sort (table, "allocated_cpu_seconds", TRUE, NULL);
  jm_table_sort (table, "energy_joules", TRUE, NULL);
  caption = g_strdup_printf ("%ss, most energy first: %u of %u", title,
                             MIN (usages->len, MAX_NAMES), usages->len);
  g_string_append_printf (answer->text, "<h2>%ss</h2>\n", title);
  append_table (answer->text, id, caption, title, table, MAX_NAMES, path);

  return TRUE;
}

/* --- productive and lost hours --- */

static void
append_fates (GString *out, JmRunTotals *totals)
{
  static const struct
  {
    const char *title;
    JmQuantityId cpus;
    JmQuantityId gpus;
    JmFormat format;
  } rows[] = {
    { "Productive", JM_QUANTITY_CPU_PRODUCTIVE, JM_QUANTITY_GPU_PRODUCTIVE,
      JME_PART_HOURS },
    { "Idle", JM_QUANTITY_CPU_IDLE, JM_QUANTITY_GPU_IDLE, JME_PART_HOURS },
    { "Lost to failures", JM_QUANTITY_CPU_LOST_TO_FAILURE,
      JM_QUANTITY_GPU_LOST_TO_FAILURE, JME_PART_HOURS },
    { "Lost to preemption", JM_QUANTITY_CPU_LOST_TO_PREEMPTION,
      JM_QUANTITY_GPU_LOST_TO_PREEMPTION, JME_PART_HOURS },
    { "Lost to the time limit", JM_QUANTITY_CPU_LOST_TO_TIME_LIMIT,
      JM_QUANTITY_GPU_LOST_TO_TIME_LIMIT, JME_PART_HOURS },
    { "Not observed", JM_QUANTITY_CPU_UNOBSERVED, JM_QUANTITY_GPU_UNOBSERVED,
      JME_PART_HOURS },
    { "Productive share", JM_QUANTITY_CPU_GOODPUT, JM_QUANTITY_GPU_GOODPUT,
      JM_FORMAT_PERCENT },
  };

  jme_part_begin_table (out, "goodput",
                        "Productive is time for which the device was "
                        "busy, of runs that did not fail",
                        (const char *const[]){ "Was", "#CPU hours", "#GPU hours",
                                               NULL });
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_string_append_printf (out, "<tr><th scope=\"row\">%s</th>", rows[i].title);
      jme_part_append_total_cell (out, totals, jm_quantity_get (rows[i].cpus),
                                  rows[i].format);
      jme_part_append_total_cell (out, totals, jm_quantity_get (rows[i].gpus),
                                  rows[i].format);
      g_string_append (out, "</tr>\n");
    }
  jme_part_end_table (out);
}

/* All of its runs are read, and a part of them would be no answer. */
gboolean
jme_usage_table_append_goodput (JmeAnswer *answer,
                                const JmeArchiveQuery *query,
                                GError **error)
{
  GString *out = answer->text;
  g_autoptr (JmRunFilter) filter = jm_run_filter_copy (query->filter);
  g_autoptr (GPtrArray) totals = NULL;
  gboolean has_more;

  /* whole days, as the sums have them */
  jm_run_filter_set_period (filter, query->since - query->since % DAY_SECONDS,
                            (query->until + DAY_SECONDS - 1) / DAY_SECONDS *
                              DAY_SECONDS);
  totals = jm_archive_database_list_totals (answer->store, filter, JM_USAGE_GROUPS_NONE,
                                            MAX_RUNS, answer->viewer, &has_more, error);

  if (totals == NULL)
    return FALSE;
  if (totals->len == 0)
    return TRUE;

  g_string_append (out, "<h2>Productive and lost hours</h2>\n");
  if (has_more)
    g_string_append (out, "<p>There are too many runs for a page: choose a shorter "
                          "period, or ask <code>jobmetrics-cli usage "
                          "--goodput</code>.</p>\n");
  else
    append_fates (out, totals->pdata[0]);

  return TRUE;
}
