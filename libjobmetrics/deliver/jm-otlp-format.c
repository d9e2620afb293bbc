/* jm-otlp-format.c: series and requests of OTLP
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "deliver/jm-write-batch-private.h"

#include <gio/gio.h>
#include <string.h>

#include "base/jm-error.h"
#include "base/jm-safe-text-private.h"
#include "core/jm-version.h"
#include "expose/jm-dialect-private.h"
#include "expose/otlp.pb-c.h"

/* DataPointFlags: the series has no value any more. */
#define NO_RECORDED_VALUE 1

#define NS_PER_MS G_GUINT64_CONSTANT (1000000)
#define MS_PER_S 1000
#define WORDS_MAX_BYTES 200

/* Labels by which a job is known, and families that have its start. */
static const char *const job_labels[] = { "jobid", "jobmetrics_job_id", NULL };
static const char *const start_families[] = { "jobmetrics_job_start_time_seconds",
                                              "jobmetrics_start_time_seconds", NULL };

typedef struct
{
  Otlp__Metric message; /* without points */
  char *name;
  char *description;
  char *unit;
  gboolean is_sum;
  gboolean is_counter;
  Otlp__Gauge gauge;
  Otlp__Sum sum;
  GPtrArray *points; /* of Otlp__Point, of the request that is being packed */
} Metric;

typedef struct
{
  JmWriteSeries parent;
  Metric *metric;
  Otlp__Point point;
  Otlp__KeyValue *attributes;
  Otlp__KeyValue **attribute_list;
  Otlp__Value *values;
  double last;
  gint64 last_ms;
  gint64 start_ms; /* 0 where it is not known */
} Series;

typedef struct
{
  JmWriteFormat parent;
  char *service;
  char *host;
  GPtrArray *dialects;
  GHashTable *families; /* of JmDialectFamily, by the name that the text has */
  GHashTable *metrics;  /* of Metric, by that name */
  GHashTable *starts;   /* seconds since 1970, by the job's id */
} Format;

/* --- metrics --- */

static void
metric_free (gpointer data)
{
  Metric *self = data;

  g_ptr_array_unref (self->points);
  g_free (self->name);
  g_free (self->description);
  g_free (self->unit);
  g_free (self);
}

static Metric *
metric_new (const JmDialectFamily *family, const JmExpositionSample *sample)
{
  Metric *self = g_new0 (Metric, 1);
  const char *instrument = family != NULL ? family->instrument : NULL;

  otlp__metric__init (&self->message);
  otlp__gauge__init (&self->gauge);
  otlp__sum__init (&self->sum);
  self->points = g_ptr_array_new ();
  self->message.name = self->name =
    g_strdup (instrument != NULL ? instrument : sample->name);
  self->message.description = self->description = g_strdup (sample->help);
  self->message.unit = self->unit =
    g_strdup (family != NULL && family->unit != NULL
                ? family->unit
                : jm_dialect_find_unit_in_name (sample->name));
  self->is_counter = strcmp (sample->type, "counter") == 0;
  self->is_sum = self->is_counter || (family != NULL && family->is_sum);

  return self;
}

static Metric *
find_metric (Format *self, const JmDialectFamily *family, const JmExpositionSample *of)
{
  Metric *metric = g_hash_table_lookup (self->metrics, of->name);

  if (metric == NULL)
    {
      metric = metric_new (family, of);
      g_hash_table_insert (self->metrics, g_strdup (of->name), metric);
    }

  return metric;
}

static const Otlp__Metric *
metric_take_points (Metric *self)
{
  Otlp__Point **points = (Otlp__Point **) self->points->pdata;

  if (self->is_sum)
    {
      self->sum.data_points = points;
      self->sum.n_data_points = self->points->len;
      self->sum.aggregation_temporality = OTLP__TEMPORALITY__CUMULATIVE;
      self->sum.is_monotonic = self->is_counter;
      self->message.sum = &self->sum;
      self->message.data_case = OTLP__METRIC__DATA_SUM;
    }
  else
    {
      self->gauge.data_points = points;
      self->gauge.n_data_points = self->points->len;
      self->message.gauge = &self->gauge;
      self->message.data_case = OTLP__METRIC__DATA_GAUGE;
    }

  return &self->message;
}

/* --- series --- */

static const char *
find_job (const JmExpositionSample *sample)
{
  const char *job = NULL;

  for (guint i = 0; job == NULL && job_labels[i] != NULL; i++)
    job = jm_exposition_sample_get_label (sample, job_labels[i]);

  return job;
}

static void
see (JmWriteFormat *format, const JmExpositionSample *sample)
{
  Format *self = (Format *) format;
  const char *job = find_job (sample);

  if (job != NULL && g_strv_contains (start_families, sample->name) &&
      sample->value > 0 && sample->value < G_MAXUINT)
    g_hash_table_insert (self->starts, g_strdup (job),
                         GUINT_TO_POINTER ((guint) sample->value));
}

static const char *
find_attribute (const JmDialectFamily *family, const char *label)
{
  for (guint i = 0; family != NULL && i < family->labels->len; i++)
    {
      const JmDialectLabel *one = &g_array_index (family->labels, JmDialectLabel, i);

      if (strcmp (one->name, label) == 0 && one->attribute != NULL)
        return one->attribute;
    }

  return label;
}

static void
add_attribute (Otlp__KeyValue *attribute,
               Otlp__Value *value,
               const char *name,
               const char *text)
{
  otlp__key_value__init (attribute);
  otlp__value__init (value);
  value->value_case = OTLP__VALUE__VALUE_STRING_VALUE;
  value->string_value = (char *) text;
  attribute->key = (char *) name;
  attribute->value = value;
}

/* An empty label is the same as none. */
static void
add_attributes (Series *self,
                const JmDialectFamily *family,
                const JmExpositionSample *sample)
{
  self->attributes = g_new (Otlp__KeyValue, sample->n_labels);
  self->attribute_list = g_new (Otlp__KeyValue *, sample->n_labels);
  self->values = g_new (Otlp__Value, sample->n_labels);
  for (guint i = 0; i < sample->n_labels; i++)
    {
      const JmExpositionLabel *label = &sample->labels[i];
      gsize n = self->point.n_attributes;

      if (*label->value == '\0')
        continue;
      add_attribute (&self->attributes[n], &self->values[n],
                     g_strdup (find_attribute (family, label->name)),
                     g_strdup (label->value));
      self->attribute_list[n] = &self->attributes[n];
      self->point.n_attributes++;
    }
  self->point.attributes = self->attribute_list;
}

static JmWriteSeries *
series_new (JmWriteFormat *format, const JmExpositionSample *sample)
{
  Format *of = (Format *) format;
  const JmDialectFamily *family = g_hash_table_lookup (of->families, sample->name);
  const char *job = find_job (sample);
  Series *self = g_new0 (Series, 1);

  otlp__point__init (&self->point);
  self->metric = find_metric (of, family, sample);
  add_attributes (self, family, sample);
  if (job != NULL)
    self->start_ms =
      (gint64) GPOINTER_TO_UINT (g_hash_table_lookup (of->starts, job)) * MS_PER_S;

  return &self->parent;
}

/* https://opentelemetry.io/docs/specs/otel/metrics/data-model/#resets-and-gaps */
static void
begin_counter (Series *self, double value, gint64 time_ms)
{
  if (self->last_ms != 0 && value < self->last)
    self->start_ms = self->last_ms;
  else if (self->start_ms == 0 || self->start_ms > time_ms)
    self->start_ms = time_ms;
}

static void
series_set (JmWriteSeries *series, double value, gint64 time_ms)
{
  Series *self = (Series *) series;

  if (self->metric->is_counter)
    {
      begin_counter (self, value, time_ms);
      self->point.start_time_unix_nano = (guint64) self->start_ms * NS_PER_MS;
    }
  self->last = value;
  self->last_ms = time_ms;
  self->point.time_unix_nano = (guint64) time_ms * NS_PER_MS;
  self->point.value_case = OTLP__POINT__VALUE_AS_DOUBLE;
  self->point.as_double = value;
}

static void
series_set_gone (JmWriteSeries *series, gint64 time_ms)
{
  Series *self = (Series *) series;

  self->point.time_unix_nano = (guint64) time_ms * NS_PER_MS;
  self->point.value_case = OTLP__POINT__VALUE__NOT_SET;
  self->point.flags = NO_RECORDED_VALUE;
}

static void
series_free (JmWriteSeries *series)
{
  Series *self = (Series *) series;

  for (gsize i = 0; i < self->point.n_attributes; i++)
    {
      g_free (self->attributes[i].key);
      g_free (self->values[i].string_value);
    }
  g_free (self->attributes);
  g_free (self->attribute_list);
  g_free (self->values);
  g_free (self);
}

/* --- requests --- */

/* Of a message of ours, into memory: neither can fail. */
static GBytes *
compress (const guint8 *data, gsize length)
{
  g_autoptr (GZlibCompressor) compressor =
    g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1);
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) stream =
    g_converter_output_stream_new (memory, G_CONVERTER (compressor));

  g_output_stream_write_all (stream, data, length, NULL, NULL, NULL);
  g_output_stream_close (stream, NULL, NULL);

  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
}

static GBytes *
pack_scope (const Format *self, Otlp__ScopeMetrics *metrics)
{
  const char *const texts[][2] = { { "service.name", self->service },
                                   { "service.version", JM_VERSION_S },
                                   { "service.instance.id", self->host },
                                   { "host.name", self->host } };
  Otlp__KeyValue attributes[G_N_ELEMENTS (texts)];
  Otlp__KeyValue *list[G_N_ELEMENTS (texts)];
  Otlp__Value values[G_N_ELEMENTS (texts)];
  Otlp__Resource resource = OTLP__RESOURCE__INIT;
  Otlp__Scope scope = OTLP__SCOPE__INIT;
  Otlp__ResourceMetrics part = OTLP__RESOURCE_METRICS__INIT;
  Otlp__ResourceMetrics *parts = &part;
  Otlp__Request request = OTLP__REQUEST__INIT;
  g_autofree guint8 *packed = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      add_attribute (&attributes[i], &values[i], texts[i][0], texts[i][1]);
      list[i] = &attributes[i];
    }
  resource.attributes = list;
  resource.n_attributes = G_N_ELEMENTS (texts);
  scope.name = (char *) "jobmetrics";
  scope.version = (char *) JM_VERSION_S;
  metrics->scope = &scope;
  part.resource = &resource;
  part.scope_metrics = &metrics;
  part.n_scope_metrics = 1;
  request.resource_metrics = &parts;
  request.n_resource_metrics = 1;

  packed = g_malloc (otlp__request__get_packed_size (&request));

  return compress (packed, otlp__request__pack (&request, packed));
}

static GBytes *
pack (JmWriteFormat *format, JmWriteSeries *const *series, guint n)
{
  Format *self = (Format *) format;
  g_autoptr (GPtrArray) metrics = g_ptr_array_new ();
  g_autoptr (GPtrArray) messages = g_ptr_array_new ();
  Otlp__ScopeMetrics scope = OTLP__SCOPE_METRICS__INIT;
  GBytes *body;

  for (guint i = 0; i < n; i++)
    {
      Series *one = (Series *) series[i];

      if (one->metric->points->len == 0)
        g_ptr_array_add (metrics, one->metric);
      g_ptr_array_add (one->metric->points, &one->point);
    }
  for (guint i = 0; i < metrics->len; i++)
    g_ptr_array_add (messages, (gpointer) metric_take_points (metrics->pdata[i]));
  scope.metrics = (Otlp__Metric **) messages->pdata;
  scope.n_metrics = messages->len;
  body = pack_scope (self, &scope);

  for (guint i = 0; i < metrics->len; i++)
    g_ptr_array_set_size (((Metric *) metrics->pdata[i])->points, 0);
  /* the next text has those of its own jobs */
  g_hash_table_remove_all (self->starts);

  return body;
}

/* --- the whole --- */

static void
format_free (JmWriteFormat *format)
{
  Format *self = (Format *) format;

  g_hash_table_unref (self->metrics);
  g_hash_table_unref (self->families);
  g_hash_table_unref (self->starts);
  g_ptr_array_unref (self->dialects);
  g_free (self->service);
  g_free (self->host);
  g_free (self);
}

static void
add_families (Format *self, JmDialect *dialect)
{
  GPtrArray *families = jm_dialect_get_families (dialect);

  for (guint i = 0; i < families->len; i++)
    {
      JmDialectFamily *family = families->pdata[i];

      g_hash_table_insert (self->families, family->name, family);
    }
}

JmWriteFormat *
jm_otlp_format_new (GPtrArray *dialects,
                    const char *service,
                    const char *host,
                    GError **error)
{
  Format *self = g_new0 (Format, 1);

  self->parent = (JmWriteFormat){ .see = see,
                                  .series_new = series_new,
                                  .series_set = series_set,
                                  .series_set_gone = series_set_gone,
                                  .series_free = series_free,
                                  .pack = pack,
                                  .free = format_free };
  self->service = g_strdup (service);
  self->host = g_strdup (host);
  self->dialects = g_ptr_array_ref (dialects);
  self->families = g_hash_table_new (g_str_hash, g_str_equal);
  self->metrics = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, metric_free);
  self->starts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < dialects->len; i++)
    add_families (self, dialects->pdata[i]);

  return &self->parent;
}

/* --- answers --- */

/* Servers that answer in JSON have taken it, too, as those that answer nothing. */
gboolean
jm_otlp_read_answer (const char *text,
                     gsize length,
                     guint64 *n_rejected,
                     GError **error)
{
  Otlp__Response *response;
  const Otlp__PartialSuccess *part;
  g_autofree char *beginning = NULL;
  g_autofree char *words = NULL;

  *n_rejected = 0;
  if (length > 0 && *text == '{')
    return TRUE;
  response = otlp__response__unpack (NULL, length, (const guint8 *) text);
  if (response == NULL)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_MALFORMED,
                           "the answer is not one of OTLP");
      return FALSE;
    }

  part = response->partial_success;
  if (part != NULL && part->rejected_data_points > 0)
    {
      *n_rejected = (guint64) part->rejected_data_points;
      beginning = g_strndup (part->error_message, WORDS_MAX_BYTES);
      words = jm_safe_text_make (beginning);
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "%" G_GUINT64_FORMAT " points were rejected: %s", *n_rejected,
                   words);
    }
  otlp__response__free_unpacked (response, NULL);

  return *n_rejected == 0;
}
