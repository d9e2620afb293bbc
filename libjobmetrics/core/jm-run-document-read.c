/* jm-run-document-read.c: a site's runs from documents that somebody else has written
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <math.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "core/jm-run-document-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"
#include "core/jm-tsdb-series-private.h"
#include "core/jm-usage-private.h"

#define MILLION 1000000
/* What 64 bits hold, with room for what rounding adds. */
#define LARGEST 9.2e18
/* Of a series: more than a server sends. */
#define MAX_POINTS 10000

/* --- members --- */

static gboolean
refuse (JsonNode *json, const char *name, const char *about, GError **error)
{
  g_autofree char *quoted = jm_json_quote_member (json, name);

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: %s: cannot be: %s", about,
               name, quoted);

  return FALSE;
}

static gboolean
read_number (JsonNode *member, guint n_decimals, gint64 *number)
{
  const gint64 scale = n_decimals > 0 ? MILLION : 1;
  GType type;
  double value;

  if (!JSON_NODE_HOLDS_VALUE (member))
    return FALSE;

  type = json_node_get_value_type (member);
  if (type == G_TYPE_INT64 && scale == 1)
    {
      *number = json_node_get_int (member);
      return *number >= 0;
    }
  if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return FALSE;

  value = round (json_node_get_double (member) * (double) scale);
  if (!(value >= 0 && value < LARGEST))
    return FALSE;
  *number = (gint64) value;

  return TRUE;
}

/* What is not there is -1. */
static gboolean
read_member (JsonNode *json,
             const char *column,
             gint64 *number,
             const char *about,
             GError **error)
{
  char name[JM_RUN_DOCUMENT_NAME_SIZE];
  guint n_decimals = jm_run_document_make_name (column, name);
  JsonNode *member = jm_json_get (json, name);

  *number = -1;
  if (member == NULL || JSON_NODE_HOLDS_NULL (member))
    return TRUE;

  return read_number (member, n_decimals, number) || refuse (json, name, about, error);
}

static const char *
read_text (JsonNode *json, const char *column)
{
  char name[JM_RUN_DOCUMENT_NAME_SIZE];

  jm_run_document_make_name (column, name);

  return jm_json_get_string (json, name);
}

/* --- runs --- */

static void
read_source (JmRun *run, JsonNode *sources, JmRunField field)
{
  const char *name = read_text (sources, jm_run_field_get_name (field));

  for (guint i = 0; name != NULL && i < JM_N_RUN_SOURCES; i++)
    if (g_str_equal (name, jm_run_source_get_name (i)))
      run->sources[field] = (char) ('0' + i);
}

static gboolean
read_field (JmRun *run,
            JsonNode *json,
            JmRunField field,
            const char *about,
            GError **error)
{
  const char *column = jm_run_field_get_name (field);
  gint64 number;

  if (jm_run_field_holds_text (field))
    {
      jm_run_keep_text (run, field, read_text (json, column));
      return TRUE;
    }
  if (!read_member (json, column, &number, about, error))
    return FALSE;
  jm_run_keep_number (run, field, number);

  return TRUE;
}

JmRun *
jm_run_document_read (JsonNode *json, const char *about, GError **error)
{
  const char *cluster = jm_json_get_string (json, "cluster");
  const char *raw_id = jm_json_get_string (json, "raw_id");
  g_autoptr (JmRun) run = NULL;

  if (cluster == NULL || raw_id == NULL)
    {
      refuse (json, cluster == NULL ? "cluster" : "raw_id", about, error);
      return NULL;
    }

  run = jm_run_new (cluster, raw_id);
  for (JmRunField field = 0; field < JM_N_RUN_FIELDS; field++)
    {
      if (!read_field (run, json, field, about, error))
        return NULL;
      if (jm_run_field_is_figure (field))
        read_source (run, jm_json_get (json, "sources"), field);
    }
  run->has_estimates = jm_json_get (json, JM_RUN_DOCUMENT_ESTIMATED) != NULL;

  return g_steal_pointer (&run);
}

JmRunPart *
jm_run_document_read_part (JsonNode *json,
                           JmRunPartKind kind,
                           const char *about,
                           GError **error)
{
  g_autoptr (JmRunPart) part = jm_run_part_new (kind);
  guint n;
  const JmRunPartColumn *columns = jm_run_part_kind_get_columns (kind, &n);

  for (guint i = 0; i < n; i++)
    {
      const char *name = columns[i].name;
      gint64 number;

      if (columns[i].is_text)
        jm_run_part_set_text (part, columns[i].quantity, read_text (json, name));
      else if (!read_member (json, name, &number, about, error))
        return NULL;
      else
        jm_run_part_set_number (part, columns[i].quantity, number);
    }

  return g_steal_pointer (&part);
}

static gboolean
read_parts (JmRun *run,
            JsonNode *json,
            JmRunPartKind kind,
            const char *about,
            GError **error)
{
  const char *name = jm_run_part_kind_get_name (kind);
  JsonNode *list = jm_json_get (json, name);

  if (list == NULL || !JSON_NODE_HOLDS_ARRAY (list))
    return refuse (json, name, about, error);
  for (guint i = 0; i < jm_json_get_length (list); i++)
    {
      g_autoptr (JmRunPart) part =
        jm_run_document_read_part (jm_json_get_element (list, i), kind, about, error);

      if (part == NULL)
        return FALSE;
      jm_run_add_part (run, part);
    }

  return TRUE;
}

JmRun *
jm_run_document_read_with_energy (JsonNode *json, const char *about, GError **error)
{
  g_autoptr (JmRun) run = jm_run_document_read (json, about, error);

  return run != NULL && read_parts (run, json, JM_RUN_PART_KIND_ENERGY, about, error)
           ? g_steal_pointer (&run)
           : NULL;
}

JmRun *
jm_run_document_read_whole (JsonNode *json, const char *about, GError **error)
{
  g_autoptr (JmRun) run =
    jm_run_document_read (jm_json_get (json, "job"), about, error);

  for (JmRunPartKind kind = 0; run != NULL && kind < JM_RUN_PART_KIND_RECORD; kind++)
    if (!read_parts (run, json, kind, about, error))
      return NULL;

  return g_steal_pointer (&run);
}

/* --- sums --- */

/* A figure that may not have been measured is left out. */
static gboolean
is_absent (JsonNode *json, JmUsageQuantity quantity)
{
  JsonNode *member =
    jm_json_get (json, jm_usage_quantity_get_quantity (quantity)->name);

  return quantity >= JM_USAGE_FIRST_MEASURED && member != NULL &&
         JSON_NODE_HOLDS_NULL (member);
}

static gboolean
read_amounts (JsonNode *json, JmUsage *usage, const char *about, GError **error)
{
  for (JmUsageQuantity i = 0; i < JM_N_USAGE_QUANTITIES; i++)
    {
      const char *name = jm_usage_quantity_get_quantity (i)->name;
      double amount;

      if (is_absent (json, i))
        continue;
      if (!jm_json_get_number (json, name, &amount) ||
          !jm_usage_set_amount (usage, i, amount))
        return refuse (json, name, about, error);
    }

  return TRUE;
}

JmUsage *
jm_run_document_read_usage (JsonNode *json,
                            JmUsageGroups groups,
                            const char *about,
                            GError **error)
{
  g_autoptr (JmUsage) usage = jm_usage_new ();
  double day = 0;

  if ((groups & JM_USAGE_GROUPS_CLUSTER) != 0)
    usage->cluster = g_strdup (jm_json_get_string (json, "cluster"));
  if ((groups & JM_USAGE_GROUPS_USER) != 0)
    usage->user = g_strdup (jm_json_get_string (json, "user"));
  if ((groups & JM_USAGE_GROUPS_ACCOUNT) != 0)
    usage->account = g_strdup (jm_json_get_string (json, "account"));
  if ((groups & JM_USAGE_GROUPS_PARTITION) != 0)
    usage->partition = g_strdup (jm_json_get_string (json, "partition"));
  if ((groups & JM_USAGE_GROUPS_DAY) != 0)
    {
      if (!jm_json_get_number (json, "day_start_time", &day) || !(day >= 0) ||
          day > JM_RUN_TIME_MAX)
        {
          refuse (json, "day_start_time", about, error);
          return NULL;
        }
      usage->day = (gint64) day / 86400;
    }

  return read_amounts (json, usage, about, error) ? g_steal_pointer (&usage) : NULL;
}

/* --- series --- */

static gboolean
read_labels (JmTsdbSeries *series, JsonNode *labels)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  if (labels == NULL || !JSON_NODE_HOLDS_OBJECT (labels))
    return FALSE;

  json_object_iter_init (&iter, json_node_get_object (labels));
  while (json_object_iter_next (&iter, &name, &value))
    {
      if (!JSON_NODE_HOLDS_VALUE (value) ||
          json_node_get_value_type (value) != G_TYPE_STRING)
        return FALSE;
      g_hash_table_replace (series->labels, g_strdup (name),
                            g_strdup (json_node_get_string (value)));
    }

  return TRUE;
}

static gboolean
read_double (JsonNode *node, double *value)
{
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node) ||
      (json_node_get_value_type (node) != G_TYPE_INT64 &&
       json_node_get_value_type (node) != G_TYPE_DOUBLE))
    return FALSE;
  *value = json_node_get_double (node);

  return isfinite (*value);
}

/* FALSE where it is none, or is not behind the one before. */
static gboolean
read_point (JmTsdbSeries *series, JsonNode *node)
{
  JmTsdbPoint point = { .value = NAN };
  JsonNode *value = jm_json_get_element (node, 1);

  if (jm_json_get_length (node) != 2 ||
      !read_double (jm_json_get_element (node, 0), &point.time) ||
      !(JSON_NODE_HOLDS_NULL (value) || read_double (value, &point.value)))
    return FALSE;
  if (series->points->len > 0 &&
      !(point.time > jm_tsdb_series_peek (series, series->points->len - 1)->time))
    return FALSE;
  g_array_append_val (series->points, point);

  return TRUE;
}

static gboolean
read_points (JmTsdbSeries *series, JsonNode *points)
{
  if (points == NULL || !JSON_NODE_HOLDS_ARRAY (points) ||
      jm_json_get_length (points) > MAX_POINTS)
    return FALSE;
  for (guint i = 0; i < jm_json_get_length (points); i++)
    {
      JsonNode *point = jm_json_get_element (points, i);

      if (!JSON_NODE_HOLDS_ARRAY (point) || !read_point (series, point))
        return FALSE;
    }

  return TRUE;
}

JmTsdbSeries *
jm_run_document_read_series (JsonNode *json, const char *about, GError **error)
{
  g_autoptr (JmTsdbSeries) series = jm_tsdb_series_new ();

  series->name = g_strdup (jm_json_get_string (json, "name"));
  if (series->name == NULL)
    refuse (json, "name", about, error);
  else if (!read_labels (series, jm_json_get (json, "labels")))
    refuse (json, "labels", about, error);
  else if (!read_points (series, jm_json_get (json, "points")))
    refuse (json, "points", about, error);
  else
    return g_steal_pointer (&series);

  return NULL;
}
