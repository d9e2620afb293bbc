/* jme-grafana-data.c: series, tables and annotations for Grafana
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-grafana-query.h"

#include <math.h>

#include "core/jm-run-derived-private.h"
#include "server/jme-table.h"

#define MILLISECONDS 1000
/* What is told of whom nobody knows. */
#define NOBODY "(unknown)"

typedef struct
{
  JmeAnswer *answer;
  JmJsonWriter *json;
  const JmeGrafanaQuery *query;
  JmeGrafanaTarget *target;
} Writer;

static void
begin_item (Writer *self)
{
  jm_json_writer_break_line (self->json);
  jm_json_writer_begin_object (self->json, NULL);
  jm_json_writer_add_known_text (self->json, "refId", self->target->ref_id);
}

/* --- groups --- */

static const struct
{
  JmUsageGroups group;
  const char *name;
  const char *(*get) (JmUsage *usage);
} groups[] = {
  { JM_USAGE_GROUPS_CLUSTER, "cluster", jm_usage_get_cluster },
  { JM_USAGE_GROUPS_USER, "user", jm_usage_get_user },
  { JM_USAGE_GROUPS_ACCOUNT, "account", jm_usage_get_account },
  { JM_USAGE_GROUPS_PARTITION, "partition", jm_usage_get_partition },
};

/* NULL where nothing is kept apart. */
static const char *
get_name (JmUsageGroups group, JmUsage *usage)
{
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    if (groups[i].group == group)
      return groups[i].get (usage);

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
  JmeGrafanaTarget *target = self->target;
  GPtrArray *usages =
    jm_archive_database_list_usage (self->answer->store, target->filter, target->group,
                                    self->answer->viewer, error);

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
narrow (JmeGrafanaTarget *target, GPtrArray *top)
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
  JmeGrafanaTarget *target = self->target;
  g_autoptr (GPtrArray) days =
    jm_archive_database_list_usage (self->answer->store, target->filter,
                                    target->group | JM_USAGE_GROUPS_DAY,
                                    self->answer->viewer, error);

  for (guint i = 0; days != NULL && i < days->len; i++)
    {
      Series *series = find_series (list, get_name (target->group, days->pdata[i]));

      if (series != NULL)
        g_ptr_array_add (series->days, jm_usage_ref (days->pdata[i]));
    }

  return days != NULL;
}

/* Several targets in one panel are told apart by what they are of. */
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

static void
begin_table (Writer *self, JmeTable *table)
{
  begin_item (self);
  jm_json_writer_add_text (self->json, "type", "table");
  *table = (JmeTable){ .text = jm_json_writer_begin_value (self->json, "columns"),
                       .form = JME_TABLE_ARRAYS };
}

static void
end_table (Writer *self)
{
  jm_json_writer_end_array (self->json);
  jm_json_writer_end_object (self->json);
}

/* NULL for the head. */
static void
add_usage_cells (JmeTable *table, JmUsageGroups group, JmUsage *usage)
{
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    if (groups[i].group == group)
      jme_table_add_text (table, groups[i].name,
                          usage != NULL ? groups[i].get (usage) : NULL);
  for (JmUsageQuantity i = 0; i < JM_N_USAGE_QUANTITIES; i++)
    {
      double amount = usage != NULL ? jm_usage_get_amount (usage, i) : 0;

      jme_table_add_number (table, jm_usage_quantity_get_quantity (i)->name, &amount);
    }
}

static gboolean
write_usage (Writer *self, GError **error)
{
  g_autoptr (GPtrArray) top = list_top (self, error);
  JmeTable table;

  if (top == NULL)
    return FALSE;
  begin_table (self, &table);
  jme_table_begin_head (&table);
  add_usage_cells (&table, self->target->group, NULL);
  jme_table_end_head (&table);
  jm_json_writer_begin_array (self->json, "rows");
  for (guint i = 0; i < top->len; i++)
    {
      jme_table_begin_row (&table);
      add_usage_cells (&table, self->target->group, top->pdata[i]);
      jme_table_end_row (&table);
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
  const char *text = jm_run_get_text (run, field);

  return text == NULL && field == JM_RUN_FIELD_JOBID ? jm_run_get_raw_id (run) : text;
}

static void
add_time (JmeTable *table, JmRunField field, JmRun *run)
{
  gint64 time;
  gboolean is_known = run != NULL && jm_run_get_number (run, field, &time);

  jme_table_add_time (table, get_column_name (field), is_known ? &time : NULL);
}

static void
add_number (JmeTable *table, JmRunField field, JmRun *run)
{
  JmFigure figure =
    run != NULL ? jm_run_derived_get_figure (run, field) : (JmFigure){ 0 };

  jme_table_add_number (table, get_column_name (field),
                        figure.is_known ? &figure.value : NULL);
}

/* NULL for the head. */
static void
add_run_cells (JmeTable *table, JmRun *run)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (jm_run_field_is_text (columns[i]))
      jme_table_add_text (table, get_column_name (columns[i]),
                          run != NULL ? get_text (run, columns[i]) : NULL);
    else if (jm_run_field_get_quantity (columns[i])->format == JM_FORMAT_TIME)
      add_time (table, columns[i], run);
    else
      add_number (table, columns[i], run);
}

static gboolean
write_jobs (Writer *self, GError **error)
{
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs =
    jm_archive_database_list_runs (self->answer->store, self->target->filter,
                                   self->answer->viewer, &next, error);
  JmeTable table;

  if (runs == NULL)
    return FALSE;
  begin_table (self, &table);
  jme_table_begin_head (&table);
  add_run_cells (&table, NULL);
  jme_table_end_head (&table);
  jm_json_writer_begin_array (self->json, "rows");
  for (guint i = 0; i < runs->len; i++)
    {
      jme_table_begin_row (&table);
      add_run_cells (&table, runs->pdata[i]);
      jme_table_end_row (&table);
    }
  end_table (self);

  return TRUE;
}

gboolean
jme_grafana_data_append (JmeAnswer *answer,
                         const JmeGrafanaQuery *query,
                         GError **error)
{
  static gboolean (*const writes[]) (Writer * self, GError * *error) = {
    [JME_GRAFANA_SERIES] = write_series,
    [JME_GRAFANA_USAGE] = write_usage,
    [JME_GRAFANA_JOBS] = write_jobs,
  };
  Writer writer = { .answer = answer, .json = &answer->json, .query = query };

  jm_json_writer_begin_array (&answer->json, NULL);
  for (guint i = 0; i < query->targets->len; i++)
    {
      writer.target = query->targets->pdata[i];
      if (!writes[writer.target->kind](&writer, error))
        return FALSE;
    }
  jm_json_writer_end_array (&answer->json);

  return TRUE;
}

/* --- annotations --- */

static void
add_annotation (JmJsonWriter *json, JmRun *run, gint64 end)
{
  const char *state = jm_run_get_text (run, JM_RUN_FIELD_STATE);
  const char *user = jm_run_get_text (run, JM_RUN_FIELD_USER);
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
jme_grafana_data_append_annotations (JmeAnswer *answer,
                                     const JmeGrafanaQuery *query,
                                     JmRunFilter *filter,
                                     GError **error)
{
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs =
    jm_archive_database_list_runs (answer->store, filter, answer->viewer, &next, error);

  if (runs == NULL)
    return FALSE;
  jm_json_writer_begin_array (&answer->json, NULL);
  for (guint i = 0; i < runs->len; i++)
    {
      gint64 end;

      if (jm_run_get_number (runs->pdata[i], JM_RUN_FIELD_END_TIME, &end) &&
          end >= query->since && end <= query->until)
        add_annotation (&answer->json, runs->pdata[i], end);
    }
  jm_json_writer_end_array (&answer->json);

  return TRUE;
}
