/* jm-grafana-data.c: series, tables and annotations for Grafana
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/dialects/jm-grafana-query-private.h"

#include <math.h>

#include "core/jm-run-derived-private.h"
#include "core/jm-usage-private.h"

#define MILLISECONDS 1000
/* The name of a user or account that is not known. */
#define NOBODY "(unknown)"

typedef struct
{
  const JmArchiveView *view;
  JmJsonWriter *json;
  const JmGrafanaQuery *query;
  JmGrafanaTarget *target;
} Writer;

static void
begin_item (Writer *self)
{
  jm_json_writer_break_line (self->json);
  jm_json_writer_begin_object (self->json, NULL);
  jm_json_writer_add_known_text (self->json, "refId", self->target->ref_id);
}

/* --- groups --- */

/* NULL where nothing is kept apart. */
static const char *
get_name (JmUsageGroups group, JmUsage *usage)
{
  for (guint i = 0; i < JM_GRAFANA_N_GROUPS; i++)
    if (jm_grafana_groups[i].group == group)
      return jm_grafana_groups[i].get (usage);

  return NULL;
}

/* What nobody knows comes last. */
static double
get_order (gconstpointer usage, JmUsageQuantity quantity)
{
  double amount = jm_usage_get_amount (*(JmUsage *const *) usage, quantity);

  return isnan (amount) ? -1 : amount;
}

static int
compare_amounts (gconstpointer a, gconstpointer b, gpointer data)
{
  JmUsageQuantity quantity = *(const JmUsageQuantity *) data;
  double first = get_order (a, quantity);
  double second = get_order (b, quantity);

  return first < second ? 1 : first > second ? -1 : 0;
}

/* The greatest of a group, which is not kept apart by days. */
static GPtrArray *
list_top (Writer *self, GError **error)
{
  JmGrafanaTarget *target = self->target;
  GPtrArray *usages =
    jm_archive_database_list_usage (self->view->database, target->filter, target->group,
                                    self->view->viewer, error);

  if (usages == NULL)
    return NULL;
  g_ptr_array_sort_with_data (usages, compare_amounts, &target->quantity);
  if (usages->len > target->top)
    g_ptr_array_set_size (usages, (int) target->top);

  return usages;
}

/* --- series --- */

typedef struct
{
  char *name; /* NULL for a sum of all */
  GPtrArray *days;
} Series;

static void
series_free (gpointer data)
{
  Series *self = data;

  g_ptr_array_unref (self->days);
  g_free (self->name);
  g_free (self);
}

static Series *
series_new (const char *name)
{
  Series *self = g_new0 (Series, 1);

  self->name = g_strdup (name);
  self->days = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_usage_unref);

  return self;
}

static Series *
find_series (GPtrArray *list, const char *name)
{
  for (guint i = 0; i < list->len; i++)
    if (g_strcmp0 (((Series *) list->pdata[i])->name, name) == 0)
      return list->pdata[i];

  return NULL;
}

/* Names of days, of which the database reads no others where it knows how to. */
static void
narrow (JmGrafanaTarget *target, GPtrArray *top)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < top->len; i++)
    g_ptr_array_add (names, (gpointer) get_name (target->group, top->pdata[i]));
  g_ptr_array_add (names, NULL);
  if (target->group == JM_USAGE_GROUPS_USER)
    jm_run_filter_set_users (target->filter, (const char *const *) names->pdata);
  else if (target->group == JM_USAGE_GROUPS_ACCOUNT)
    jm_run_filter_set_accounts (target->filter, (const char *const *) names->pdata);
}

/* An empty one for each that is shown, the greatest first. */
static GPtrArray *
list_series (Writer *self, GError **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (series_free);
  g_autoptr (GPtrArray) top = NULL;

  if (self->target->group == JM_USAGE_GROUPS_NONE)
    {
      g_ptr_array_add (list, series_new (NULL));
      return g_steal_pointer (&list);
    }
  top = list_top (self, error);
  if (top == NULL)
    return NULL;
  for (guint i = 0; i < top->len; i++)
    g_ptr_array_add (list, series_new (get_name (self->target->group, top->pdata[i])));
  narrow (self->target, top);

  return g_steal_pointer (&list);
}

static gboolean
fill_series (Writer *self, GPtrArray *list, GError **error)
{
  JmGrafanaTarget *target = self->target;
  g_autoptr (GPtrArray) days =
    jm_archive_database_list_usage (self->view->database, target->filter,
                                    target->group | JM_USAGE_GROUPS_DAY,
                                    self->view->viewer, error);

  for (guint i = 0; days != NULL && i < days->len; i++)
    {
      Series *series = find_series (list, get_name (target->group, days->pdata[i]));

      if (series != NULL)
        g_ptr_array_add (series->days, jm_usage_ref (days->pdata[i]));
    }

  return days != NULL;
}

/* Several targets in one panel are distinguished by what they are of. */
static void
add_series_name (Writer *self, const Series *series)
{
  const char *quantity = jm_usage_quantity_get_quantity (self->target->quantity)->name;
  const char *name =
    series->name != NULL && *series->name == '\0' ? NOBODY : series->name;
  g_autofree char *both = NULL;

  if (name != NULL && self->query->targets->len > 1)
    name = both = g_strdup_printf ("%s %s", quantity, name);
  jm_json_writer_add_text (self->json, "target", name != NULL ? name : quantity);
}

static void
add_point (Writer *self, JmUsage *day)
{
  jm_json_writer_begin_array (self->json, NULL);
  jm_json_writer_add_double (self->json, NULL,
                             jm_usage_get_amount (day, self->target->quantity));
  jm_json_writer_add_int (self->json, NULL, jm_usage_get_day (day) * MILLISECONDS);
  jm_json_writer_end_array (self->json);
}

static void
add_series (Writer *self, const Series *series)
{
  begin_item (self);
  add_series_name (self, series);
  jm_json_writer_begin_array (self->json, "datapoints");
  for (guint i = 0; i < series->days->len; i++)
    add_point (self, series->days->pdata[i]);
  jm_json_writer_end_array (self->json);
  jm_json_writer_end_object (self->json);
}

static gboolean
write_series (Writer *self, GError **error)
{
  g_autoptr (GPtrArray) list = list_series (self, error);

  if (list == NULL || !fill_series (self, list, error))
    return FALSE;
  for (guint i = 0; i < list->len; i++)
    add_series (self, list->pdata[i]);

  return TRUE;
}

/* --- tables --- */

/* The head of a table has names, and what they are of. */
static void
add_column (JmJsonWriter *json, const char *name, const char *type)
{
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "text", name);
  jm_json_writer_add_text (json, "type", type);
  jm_json_writer_end_object (json);
}

static void
begin_table (Writer *self)
{
  begin_item (self);
  jm_json_writer_add_text (self->json, "type", "table");
  jm_json_writer_begin_array (self->json, "columns");
}

static void
begin_rows (Writer *self)
{
  jm_json_writer_end_array (self->json);
  jm_json_writer_begin_array (self->json, "rows");
}

static void
begin_row (Writer *self)
{
  jm_json_writer_break_line (self->json);
  jm_json_writer_begin_array (self->json, NULL);
}

static void
end_table (Writer *self)
{
  jm_json_writer_end_array (self->json);
  jm_json_writer_end_object (self->json);
}

static void
add_usage_columns (JmJsonWriter *json, JmUsageGroups group)
{
  for (guint i = 0; i < JM_GRAFANA_N_GROUPS; i++)
    if (jm_grafana_groups[i].group == group)
      add_column (json, jm_grafana_groups[i].name, "string");
  for (JmUsageQuantity i = 0; i < JM_N_USAGE_QUANTITIES; i++)
    add_column (json, jm_usage_quantity_get_quantity (i)->name, "number");
}

static void
add_usage (JmJsonWriter *json, JmUsageGroups group, JmUsage *usage)
{
  if (group != JM_USAGE_GROUPS_NONE)
    jm_json_writer_add_text (json, NULL, get_name (group, usage));
  for (JmUsageQuantity i = 0; i < JM_N_USAGE_QUANTITIES; i++)
    jm_json_writer_add_double (json, NULL, jm_usage_get_amount (usage, i));
}

static gboolean
write_usage (Writer *self, GError **error)
{
  g_autoptr (GPtrArray) top = list_top (self, error);

  if (top == NULL)
    return FALSE;
  begin_table (self);
  add_usage_columns (self->json, self->target->group);
  begin_rows (self);
  for (guint i = 0; i < top->len; i++)
    {
      begin_row (self);
      add_usage (self->json, self->target->group, top->pdata[i]);
      jm_json_writer_end_array (self->json);
    }
  end_table (self);

  return TRUE;
}

/* --- runs --- */

/* A time comes first: Grafana takes it for that of the row. */
static const JmRunField columns[] = {
  JM_RUN_FIELD_START_TIME,     JM_RUN_FIELD_END_TIME,  JM_RUN_FIELD_JOBID,
  JM_RUN_FIELD_NAME,           JM_RUN_FIELD_USER,      JM_RUN_FIELD_ACCOUNT,
  JM_RUN_FIELD_PARTITION,      JM_RUN_FIELD_STATE,     JM_RUN_FIELD_UUID,
  JM_RUN_FIELD_ELAPSED,        JM_RUN_FIELD_NODES,     JM_RUN_FIELD_CPUS,
  JM_RUN_FIELD_GPUS_ALLOCATED, JM_RUN_FIELD_CPU_TOTAL, JM_RUN_FIELD_MEMORY_PEAK,
  JM_RUN_FIELD_ENERGY,         JM_RUN_FIELD_EMISSIONS,
};

static const char *
get_column_name (JmRunField field)
{
  return field == JM_RUN_FIELD_JOBID ? "job_id"
                                     : jm_run_field_get_quantity (field)->name;
}

static const char *
get_text (JmRun *run, JmRunField field)
{
  const char *text = jm_run_peek_text (run, field);

  return text == NULL && field == JM_RUN_FIELD_JOBID ? jm_run_get_raw_id (run) : text;
}

static gboolean
is_time (JmRunField field)
{
  return jm_run_field_get_quantity (field)->format == JM_FORMAT_TIME;
}

static void
add_run_columns (JmJsonWriter *json)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    add_column (json, get_column_name (columns[i]),
                jm_run_field_holds_text (columns[i]) ? "string"
                : is_time (columns[i])               ? "time"
                                                     : "number");
}

static double
get_value (JmRun *run, JmRunField field)
{
  JmFigure figure;
  gint64 time;

  if (is_time (field))
    return jm_run_get_number (run, field, &time) ? (double) (time * MILLISECONDS) : NAN;
  figure = jm_run_derived_get_figure (run, field);

  return figure.is_known ? figure.value : NAN;
}

static void
add_run (JmJsonWriter *json, JmRun *run)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (jm_run_field_holds_text (columns[i]))
      jm_json_writer_add_text (json, NULL, get_text (run, columns[i]));
    else
      jm_json_writer_add_double (json, NULL, get_value (run, columns[i]));
}

static gboolean
write_jobs (Writer *self, GError **error)
{
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs =
    jm_archive_database_list_runs (self->view->database, self->target->filter,
                                   self->view->viewer, &next, error);

  if (runs == NULL)
    return FALSE;
  begin_table (self);
  add_run_columns (self->json);
  begin_rows (self);
  for (guint i = 0; i < runs->len; i++)
    {
      begin_row (self);
      add_run (self->json, runs->pdata[i]);
      jm_json_writer_end_array (self->json);
    }
  end_table (self);

  return TRUE;
}

gboolean
jm_grafana_data_append (JmQuestion *question,
                        const JmGrafanaQuery *query,
                        GError **error)
{
  static gboolean (*const writes[]) (Writer * self, GError * *error) = {
    [JM_GRAFANA_SERIES] = write_series,
    [JM_GRAFANA_USAGE] = write_usage,
    [JM_GRAFANA_JOBS] = write_jobs,
  };
  Writer writer = { .view = question->view, .json = &question->json, .query = query };

  jm_json_writer_begin_array (&question->json, NULL);
  for (guint i = 0; i < query->targets->len; i++)
    {
      writer.target = query->targets->pdata[i];
      if (!writes[writer.target->kind](&writer, error))
        return FALSE;
    }
  jm_json_writer_end_array (&question->json);

  return TRUE;
}

/* --- annotations --- */

static void
add_annotation (JmJsonWriter *json, JmRun *run, gint64 end)
{
  const char *state = jm_run_peek_text (run, JM_RUN_FIELD_STATE);
  const char *user = jm_run_peek_text (run, JM_RUN_FIELD_USER);
  g_autofree char *title =
    g_strdup_printf ("job %s: %s", get_text (run, JM_RUN_FIELD_JOBID),
                     state != NULL ? state : "ended");

  jm_json_writer_break_line (json);
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_int (json, "time", end * MILLISECONDS);
  jm_json_writer_add_text (json, "title", title);
  jm_json_writer_add_text (json, "text", user != NULL ? user : "");
  jm_json_writer_begin_array (json, "tags");
  jm_json_writer_add_known_text (json, NULL, state);
  jm_json_writer_end_array (json);
  jm_json_writer_end_object (json);
}

gboolean
jm_grafana_data_append_annotations (JmQuestion *question,
                                    const JmGrafanaQuery *query,
                                    JmRunFilter *filter,
                                    GError **error)
{
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs =
    jm_archive_database_list_runs (question->view->database, filter,
                                   question->view->viewer, &next, error);

  if (runs == NULL)
    return FALSE;
  jm_json_writer_begin_array (&question->json, NULL);
  for (guint i = 0; i < runs->len; i++)
    {
      gint64 end;

      if (jm_run_get_number (runs->pdata[i], JM_RUN_FIELD_END_TIME, &end) &&
          end >= query->since && end <= query->until)
        add_annotation (&question->json, runs->pdata[i], end);
    }
  jm_json_writer_end_array (&question->json);

  return TRUE;
}
