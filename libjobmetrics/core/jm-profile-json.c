/* jm-profile-json.c: a profile as JSON, and back
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-profile-json-private.h"

#include <math.h>

#include "base/jm-json-private.h"
#include "core/jm-figures-json-private.h"
#include "core/jm-job-profile-private.h"

/* Means of counts are rounded to this fraction of one. */
#define COUNT_PARTS 1000

/* --- writing --- */

static double
get_mean_parts (JmProfileSeries series)
{
  return jm_profile_series_get_unit (series) == JM_UNIT_COUNT ? COUNT_PARTS : 1;
}

static JsonNode *
encode_mean (const JmProfilePoint *point, JmProfileSeries series)
{
  JmUnit unit = jm_profile_series_get_unit (series);
  double parts = get_mean_parts (series);
  double mean = round (point->area / (double) point->seen_us * parts) / parts;

  return json_node_init_double (json_node_alloc (),
                                mean / (double) jm_unit_get_info (unit)->divisor);
}

static JsonNode *
encode_value (const JmProfilePoint *point, JmProfileSeries series)
{
  if (!jm_profile_series_is_sum (series))
    return encode_mean (point, series);

  return jm_figures_json_encode_value (jm_profile_series_get_unit (series), point->sum);
}

static JsonNode *
encode_peak (const JmProfilePoint *point, JmProfileSeries series)
{
  return jm_figures_json_encode_value (jm_profile_series_get_unit (series),
                                       point->peak);
}

static JsonNode *
encode_seen (const JmProfilePoint *point, JmProfileSeries series)
{
  return jm_figures_json_encode_value (JM_UNIT_MICROSECONDS, (guint64) point->seen_us);
}

static void
add_points (JsonObject *object,
            const char *name,
            JmJobProfile *profile,
            JmProfileSeries series,
            JsonNode *(*encode) (const JmProfilePoint *, JmProfileSeries))
{
  guint n;
  const JmProfilePoint *points = jm_job_profile_get_points (profile, series, &n);
  JsonArray *array = json_array_sized_new (n);

  for (guint i = 0; i < n; i++)
    json_array_add_element (array, points[i].seen_us > 0
                                     ? encode (&points[i], series)
                                     : json_node_init_null (json_node_alloc ()));
  json_object_set_array_member (object, name, array);
}

static gboolean
is_seen_whole (JmJobProfile *profile, JmProfileSeries series)
{
  guint n;
  const JmProfilePoint *points = jm_job_profile_get_points (profile, series, &n);

  for (guint i = 0; i < n; i++)
    if (points[i].seen_us != 0 &&
        points[i].seen_us != jm_job_profile_get_interval (profile))
      return FALSE;

  return TRUE;
}

static JsonObject *
encode_series (JmJobProfile *profile, JmProfileSeries series)
{
  JsonObject *object = json_object_new ();

  add_points (object, "values", profile, series, encode_value);
  if (!jm_profile_series_is_sum (series))
    add_points (object, "peaks", profile, series, encode_peak);
  if (!is_seen_whole (profile, series))
    add_points (object, "seen_seconds", profile, series, encode_seen);

  return object;
}

JsonNode *
jm_profile_json_encode (JmJobProfile *profile)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *object = json_object_new ();
  JsonObject *series = json_object_new ();

  jm_figures_json_set_time (object, "begin_time",
                            jm_job_profile_get_begin_time (profile));
  jm_figures_json_set_time (object, "interval_seconds",
                            jm_job_profile_get_interval (profile));
  json_object_set_int_member (object, "points", jm_job_profile_get_n_points (profile));
  for (JmProfileSeries i = 0; i < JM_N_PROFILE_SERIES; i++)
    if (jm_job_profile_has (profile, i))
      json_object_set_object_member (series, jm_profile_series_get_name (i),
                                     encode_series (profile, i));
  json_object_set_object_member (object, "series", series);
  json_node_take_object (node, object);

  return node;
}

/* --- reading --- */

/* One series as it is read. */
typedef struct
{
  JmProfileSeries series;
  JsonNode *values;
  JsonNode *peaks; /* NULL of a sum */
  JsonNode *seen;  /* NULL where all that was observed was so for the whole interval */
  gint64 interval_us;
} Source;

static gboolean
decode_seen (const Source *source, guint i, JmProfilePoint *point)
{
  guint64 seen_us;

  point->seen_us = source->interval_us;
  if (source->seen == NULL)
    return TRUE;

  if (!jm_figures_json_decode_value (JM_UNIT_MICROSECONDS,
                                     jm_json_get_element (source->seen, i), &seen_us) ||
      seen_us == 0 || seen_us > G_MAXINT64)
    return FALSE;
  point->seen_us = (gint64) seen_us;

  return TRUE;
}

static gboolean
decode_mean (JsonNode *node, double *mean)
{
  GType type = json_node_get_value_type (node);

  if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return FALSE;
  *mean = json_node_get_double (node);

  return isfinite (*mean) && *mean >= 0;
}

static gboolean
decode_level (const Source *source, guint i, JmProfilePoint *point)
{
  JmUnit unit = jm_profile_series_get_unit (source->series);
  JsonNode *peak = jm_json_get_element (source->peaks, i);
  double mean;

  if (!decode_mean (jm_json_get_element (source->values, i), &mean))
    return FALSE;
  point->area =
    mean * (double) jm_unit_get_info (unit)->divisor * (double) point->seen_us;

  return jm_figures_json_decode_value (unit, peak, &point->peak);
}

static gboolean
decode_point (const Source *source, guint i, JmProfilePoint *point)
{
  JsonNode *value = jm_json_get_element (source->values, i);

  if (JSON_NODE_HOLDS_NULL (value))
    return TRUE;
  if (!decode_seen (source, i, point))
    return FALSE;
  if (source->peaks != NULL)
    return decode_level (source, i, point);

  return jm_figures_json_decode_value (jm_profile_series_get_unit (source->series),
                                       value, &point->sum);
}

static gboolean
has_points (JsonNode *array, guint n_points)
{
  return array != NULL && JSON_NODE_HOLDS_ARRAY (array) &&
         jm_json_get_length (array) == n_points;
}

/* NULL where it breaks the format. */
static JmProfilePoint *
decode_series (JsonNode *object,
               JmProfileSeries series,
               gint64 interval_us,
               guint n_points)
{
  const Source source = { series, jm_json_get (object, "values"),
                          jm_profile_series_is_sum (series)
                            ? NULL
                            : jm_json_get (object, "peaks"),
                          jm_json_get (object, "seen_seconds"), interval_us };
  g_autofree JmProfilePoint *points = g_new0 (JmProfilePoint, n_points + 1);

  if (!has_points (source.values, n_points) ||
      (!jm_profile_series_is_sum (series) && !has_points (source.peaks, n_points)) ||
      (source.seen != NULL && !has_points (source.seen, n_points)))
    return NULL;

  for (guint i = 0; i < n_points; i++)
    if (!decode_point (&source, i, &points[i]))
      return NULL;

  return g_steal_pointer (&points);
}

static gboolean
decode_all (JsonNode *node,
            gint64 interval_us,
            guint n_points,
            JmProfilePoint *points[JM_N_PROFILE_SERIES])
{
  for (JmProfileSeries i = 0; i < JM_N_PROFILE_SERIES; i++)
    {
      JsonNode *series = jm_json_get (node, jm_profile_series_get_name (i));

      if (series != NULL &&
          (points[i] = decode_series (series, i, interval_us, n_points)) == NULL)
        return FALSE;
    }

  return TRUE;
}

JmJobProfile *
jm_profile_json_decode (JsonNode *node)
{
  JmProfilePoint *points[JM_N_PROFILE_SERIES] = { NULL };
  JsonNode *series = jm_json_get (node, "series");
  JmJobProfile *profile = NULL;
  gint64 begin_us, interval_us;
  double n_points;

  if (!jm_figures_json_get_time (node, "begin_time", &begin_us) ||
      !jm_figures_json_get_time (node, "interval_seconds", &interval_us) ||
      !jm_json_get_number (node, "points", &n_points) || n_points < 0 ||
      n_points > JM_PROFILE_MAX_POINTS || series == NULL ||
      !JSON_NODE_HOLDS_OBJECT (series))
    return NULL;

  if (decode_all (series, interval_us, (guint) n_points, points))
    profile = jm_job_profile_restore (begin_us, interval_us, (guint) n_points,
                                      (const JmProfilePoint *const *) points);
  for (JmProfileSeries i = 0; i < JM_N_PROFILE_SERIES; i++)
    g_free (points[i]);

  return profile;
}
