/* jm-tsdb-answer.c: what a Prometheus-compatible server answers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/tsdb/jm-tsdb-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "core/jm-tsdb-series-private.h"
#include "io/jm-json-stream-private.h"

/* How deep the members of each part of an answer are. */
enum
{
  DEPTH_ANSWER = 1,
  DEPTH_DATA,
  DEPTH_RESULT,
  DEPTH_SERIES,
};

#define LABELS_MAX 64
#define NUMBER_MAX 64
#define TEXT_MAX 512

struct _JmTsdbAnswer
{
  JmTsdbLimits limits;
  JmJsonStream *stream;
  GPtrArray *series;
  guint n_points;
  char *status;
  char *type;
  char *error_type;
  char *error;
  char *warning;        /* the first that says more than how the query is written */
  gboolean is_warnings; /* it reads the list of warnings */
  gboolean is_metric;   /* it reads labels */
  guint point_depth;    /* of a point that is being read; 0 for none */
  guint n_in_point;
  JmTsdbPoint point;
  const char *problem; /* NULL while all is well */
  JmError problem_code;
};

static void
fail (JmTsdbAnswer *self, JmError code, const char *problem)
{
  if (self->problem != NULL)
    return;
  self->problem = problem;
  self->problem_code = code;
}

static void
refuse (JmTsdbAnswer *self, const char *problem)
{
  fail (self, JM_ERROR_MALFORMED, problem);
}

/* Within a series: there is one. */
static JmTsdbSeries *
get_last (JmTsdbAnswer *self)
{
  return self->series->pdata[self->series->len - 1];
}

/* --- values --- */

/* Of a JSON number, or of what a sample's text may be. */
static gboolean
parse_double (JmSlice slice, double *value)
{
  char text[NUMBER_MAX + 1];
  char *end;

  if (slice.length == 0 || slice.length > NUMBER_MAX)
    return FALSE;
  memcpy (text, slice.text, slice.length);
  text[slice.length] = '\0';
  if (strspn (text, "0123456789+-.eE") != slice.length && strcmp (text, "NaN") != 0 &&
      strcmp (text, "+Inf") != 0 && strcmp (text, "-Inf") != 0)
    return FALSE;
  *value = g_ascii_strtod (text, &end);

  return *end == '\0';
}

static char *
copy_text (JmSlice text, gsize max)
{
  g_autofree char *copy = g_strndup (text.text, MIN (text.length, max));

  return g_utf8_make_valid (copy, -1);
}

static void
take_text (JmTsdbAnswer *self, char **place, JmJsonKind kind, JmSlice text)
{
  if (kind != JM_JSON_STRING)
    {
      refuse (self, "status, type or error is no text");
      return;
    }
  g_free (*place);
  *place = copy_text (text, TEXT_MAX);
}

static void
take_label (JmTsdbAnswer *self, JmSlice key, JmJsonKind kind, JmSlice text)
{
  JmTsdbSeries *series = get_last (self);

  if (kind != JM_JSON_STRING)
    {
      refuse (self, "a label that is no text");
      return;
    }
  if (g_hash_table_size (series->labels) == LABELS_MAX)
    {
      refuse (self, "a series of too many labels");
      return;
    }
  if (jm_slice_equal (key, "__name__"))
    {
      g_free (series->name);
      series->name = copy_text (text, text.length);
    }
  else
    g_hash_table_replace (series->labels, copy_text (key, key.length),
                          copy_text (text, text.length));
}

/* When, as a number, and then what, as a text. */
static void
take_half_of_point (JmTsdbAnswer *self, JmJsonKind kind, JmSlice text)
{
  JmJsonKind wanted = self->n_in_point == 0 ? JM_JSON_NUMBER : JM_JSON_STRING;
  double *place = self->n_in_point == 0 ? &self->point.time : &self->point.value;

  if (self->n_in_point == 2 || kind != wanted || !parse_double (text, place))
    refuse (self, "a point that is no time with a value");
  self->n_in_point++;
}

static void
take_warning (JmTsdbAnswer *self, JmJsonKind kind, JmSlice text)
{
  /* Prometheus' own are about the query; those of its kin, that data are missing */
  static const char about_query[] = "PromQL ";
  gsize length = sizeof about_query - 1;

  if (kind != JM_JSON_STRING || self->warning != NULL ||
      (text.length >= length && memcmp (text.text, about_query, length) == 0))
    return;
  self->warning = copy_text (text, TEXT_MAX);
}

static void
take_head (JmTsdbAnswer *self, JmSlice key, JmJsonKind kind, JmSlice text)
{
  if (jm_slice_equal (key, "status"))
    take_text (self, &self->status, kind, text);
  else if (jm_slice_equal (key, "errorType"))
    take_text (self, &self->error_type, kind, text);
  else if (jm_slice_equal (key, "error"))
    take_text (self, &self->error, kind, text);
}

static void
on_value (gpointer data, guint depth, JmSlice key, JmJsonKind kind, JmSlice text)
{
  JmTsdbAnswer *self = data;

  if (self->problem != NULL)
    return;
  if (self->is_warnings)
    take_warning (self, kind, text);
  else if (self->is_metric)
    take_label (self, key, kind, text);
  else if (self->point_depth != 0 && depth == self->point_depth)
    take_half_of_point (self, kind, text);
  else if (depth == DEPTH_ANSWER)
    take_head (self, key, kind, text);
  else if (depth == DEPTH_DATA && jm_slice_equal (key, "resultType"))
    take_text (self, &self->type, kind, text);
  else if (depth > DEPTH_DATA && depth != DEPTH_SERIES)
    refuse (self, "a value where none belongs");
}

/* --- objects and lists --- */

static gboolean
begin_series (JmTsdbAnswer *self, gboolean is_list)
{
  if (is_list)
    refuse (self, "a series that is no object");
  else if (self->series->len == self->limits.series)
    fail (self, JM_ERROR_INVALID, "it has more series than are read");
  else
    g_ptr_array_add (self->series, jm_tsdb_series_new ());

  return self->problem == NULL;
}

static gboolean
begin_point (JmTsdbAnswer *self, guint depth, gboolean is_list)
{
  if (!is_list)
    refuse (self, "a point that is no list");
  else if (self->n_points == self->limits.points)
    fail (self, JM_ERROR_INVALID, "it has more points than are read");
  self->n_points++;
  self->point_depth = depth + 1;
  self->n_in_point = 0;

  return self->problem == NULL;
}

static gboolean
begin_in_series (JmTsdbAnswer *self, JmSlice key, gboolean is_list)
{
  if (jm_slice_equal (key, "value"))
    return begin_point (self, DEPTH_SERIES, is_list);
  if (jm_slice_equal (key, "values"))
    {
      if (!is_list)
        refuse (self, "points that are no list");
      return is_list;
    }
  if (!jm_slice_equal (key, "metric"))
    return FALSE; /* such as native histograms */
  if (is_list)
    refuse (self, "labels that are no object");
  self->is_metric = !is_list;

  return !is_list;
}

/* A scalar is a point where others have a list of series. */
static gboolean
begin_result (JmTsdbAnswer *self, gboolean is_list)
{
  if (!is_list)
    refuse (self, "a result that is no list");
  if (self->problem != NULL || g_strcmp0 (self->type, "scalar") != 0)
    return self->problem == NULL;

  g_ptr_array_add (self->series, jm_tsdb_series_new ());

  return begin_point (self, DEPTH_DATA, is_list);
}

static gboolean
begin_in_answer (JmTsdbAnswer *self, JmSlice key, gboolean is_list)
{
  if (jm_slice_equal (key, "data"))
    {
      if (is_list)
        refuse (self, "data that are no object");
      return !is_list;
    }
  self->is_warnings = is_list && jm_slice_equal (key, "warnings");

  return self->is_warnings;
}

static gboolean
on_begin (gpointer data, guint depth, JmSlice key, gboolean is_list)
{
  JmTsdbAnswer *self = data;

  if (self->problem != NULL)
    return FALSE;
  if (depth == 0)
    {
      if (is_list)
        refuse (self, "it is no object");
      return !is_list;
    }
  if (self->is_warnings || self->is_metric || self->point_depth != 0)
    {
      refuse (self, "a list or an object where none belongs");
      return FALSE;
    }
  if (depth == DEPTH_ANSWER)
    return begin_in_answer (self, key, is_list);
  if (depth == DEPTH_DATA)
    return jm_slice_equal (key, "result") && begin_result (self, is_list);
  if (depth == DEPTH_RESULT)
    return begin_series (self, is_list);
  if (depth == DEPTH_SERIES)
    return begin_in_series (self, key, is_list);

  return begin_point (self, depth, is_list);
}

/* Who is asked twice for a moment would count it twice. */
static void
end_point (JmTsdbAnswer *self)
{
  JmTsdbSeries *series = get_last (self);
  guint n = series->points->len;

  self->point_depth = 0;
  if (self->n_in_point != 2)
    refuse (self, "a point that is no time with a value");
  else if (!(n == 0 || jm_tsdb_series_peek (series, n - 1)->time < self->point.time))
    refuse (self, "points that are not in the order of time");
  else
    g_array_append_val (series->points, self->point);
}

static void
on_end (gpointer data, guint depth)
{
  JmTsdbAnswer *self = data;

  if (self->problem != NULL)
    return;
  if (self->point_depth != 0 && depth + 1 == self->point_depth)
    end_point (self);
  self->is_warnings = self->is_warnings && depth != DEPTH_ANSWER;
  self->is_metric = self->is_metric && depth != DEPTH_SERIES;
}

static const JmJsonHandler handler = { on_begin, on_end, on_value };

/* --- begin and end --- */

JmTsdbAnswer *
jm_tsdb_answer_new (JmTsdbLimits limits)
{
  JmTsdbAnswer *self = g_new0 (JmTsdbAnswer, 1);

  self->limits = limits;
  self->stream = jm_json_stream_new (&handler, self);
  self->series = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_tsdb_series_unref);

  return self;
}

void
jm_tsdb_answer_free (JmTsdbAnswer *self)
{
  jm_json_stream_free (self->stream);
  g_ptr_array_unref (self->series);
  g_free (self->status);
  g_free (self->type);
  g_free (self->error_type);
  g_free (self->error);
  g_free (self->warning);
  g_free (self);
}

gboolean
jm_tsdb_answer_feed (JmTsdbAnswer *self, const char *text, gsize length)
{
  return jm_json_stream_feed (self->stream, text, length) && self->problem == NULL;
}

static JmError
get_code (const char *error_type)
{
  static const char *const passing[] = { "timeout", "canceled", "unavailable",
                                         "internal", NULL };
  static const char *const lasting[] = { "bad_data", "execution", "not_found", "422",
                                         NULL };

  if (error_type != NULL && g_strv_contains (lasting, error_type))
    return JM_ERROR_INVALID;

  return error_type == NULL || g_strv_contains (passing, error_type)
           ? JM_ERROR_UNAVAILABLE
           : JM_ERROR_MALFORMED;
}

static gboolean
check_status (JmTsdbAnswer *self, const char *name, GError **error)
{
  const char *text = self->error != NULL ? self->error : "no reason";
  g_autofree char *quoted = jm_json_quote (text, strlen (text));

  if (g_strcmp0 (self->status, "success") == 0)
    return TRUE;
  if (g_strcmp0 (self->status, "error") == 0)
    g_set_error (error, JM_ERROR, (int) get_code (self->error_type), "%s: %s: %s", name,
                 self->error_type != NULL ? self->error_type : "error", quoted);
  else
    g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                 "%s: no answer of a time series database: no status", name);

  return FALSE;
}

static gboolean
check_type (JmTsdbAnswer *self, const char *name, GError **error)
{
  static const char *const types[] = { "vector", "matrix", "scalar", NULL };

  if (self->type != NULL && g_strv_contains (types, self->type))
    return TRUE;
  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
               "%s: resultType: neither vector, matrix nor scalar: %s", name,
               self->type != NULL ? self->type : "none");

  return FALSE;
}

static gboolean
check_whole (JmTsdbAnswer *self, const char *name, GError **error)
{
  if (self->warning == NULL)
    return TRUE;
  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "%s: the answer may be half of it: %s", name, self->warning);

  return FALSE;
}

GPtrArray *
jm_tsdb_answer_finish (JmTsdbAnswer *self, const char *name, GError **error)
{
  if (self->problem != NULL)
    {
      g_set_error (error, JM_ERROR, (int) self->problem_code, "%s: %s: %s", name,
                   self->problem_code == JM_ERROR_MALFORMED
                     ? "no answer of a time series database"
                     : "the answer is too long",
                   self->problem);
      return NULL;
    }
  if (!jm_json_stream_finish (self->stream, name, error) ||
      !check_status (self, name, error) || !check_type (self, name, error) ||
      !check_whole (self, name, error))
    return NULL;

  return g_ptr_array_ref (self->series);
}
