/* jm-gpu-totals.c: what a job made of each of its accelerators so far
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/gpu/jm-gpu-job-private.h"

#include "core/jm-readings-private.h"
#include "sql/jm-versioned-private.h"

#define VERSION 2
/* Without errors. */
#define FIRST_VERSION 1
#define PPM 1e6
/* By which the time of one answer may differ when it is looked at twice. */
#define SAME_ANSWER_US 1000
/* What no job reaches. */
#define MAX_NUMBER (G_GINT64_CONSTANT (1) << 60)
/* More devices than any node has, however often they are cut up anew. */
#define MAX_DEVICES 4096
/* More kinds of errors than a device has. */
#define MAX_ERRORS 256

/* Name; microseconds busy and observed, bytes of the peak and in all: -1 for unknown;
 * errors: the name of their quantity, their label, how many. Among these the time in
 * which clocks were held back, without a label. */
#define FIRST_SAVED_TYPE "a(sxxxx)"
#define SAVED_TYPE "a(sxxxxa(ssx))"

typedef struct
{
  JmMetric metric;
  JmLabels *labels;
  guint64 grown; /* while the job had the device */
  guint64 last;  /* what the device had counted, where @has_last */
  gboolean has_last;
} Errors;

/* Up to when a state of the device is known. */
typedef struct
{
  guint round; /* the last that had it */
  gint64 us;   /* 0 before */
} Span;

typedef struct
{
  char *name;
  gint64 busy_us; /* -1 before its use was known at all, as in the next four */
  gint64 observed_us;
  gint64 peak_bytes;
  gint64 size_bytes;

  gint64 throttled_us;

  gint64 seen_us; /* by this program first; 0 before */
  Span use;
  Span throttle;

  GArray *errors;     /* of Errors; NULL before there were any */
  gboolean has_begun; /* this program has seen what the device had counted */
} Total;

struct _JmGpuTotals
{
  GArray *devices; /* of Total */
  gboolean has_changed;
};

static void
total_clear (gpointer total)
{
  g_free (((Total *) total)->name);
  g_clear_pointer (&((Total *) total)->errors, g_array_unref);
}

static void
errors_clear (gpointer errors)
{
  jm_labels_unref (((Errors *) errors)->labels);
}

JmGpuTotals *
jm_gpu_totals_new (void)
{
  JmGpuTotals *self = g_new0 (JmGpuTotals, 1);

  self->devices = g_array_new (FALSE, FALSE, sizeof (Total));
  g_array_set_clear_func (self->devices, total_clear);

  return self;
}

void
jm_gpu_totals_free (JmGpuTotals *self)
{
  g_array_unref (self->devices);
  g_free (self);
}

static Total *
find (const JmGpuTotals *self, const char *name)
{
  for (guint i = 0; i < self->devices->len; i++)
    {
      Total *total = &g_array_index (self->devices, Total, i);

      if (g_str_equal (total->name, name))
        return total;
    }

  return NULL;
}

/* --- taking --- */

static Total *
find_or_add (JmGpuTotals *self, const char *name)
{
  Total *total = find (self, name);
  const Total fresh = { .busy_us = -1,
                        .observed_us = -1,
                        .peak_bytes = -1,
                        .size_bytes = -1,
                        .throttled_us = -1 };

  if (total == NULL)
    {
      g_array_append_val (self->devices, fresh);
      total = &g_array_index (self->devices, Total, self->devices->len - 1);
      total->name = g_strdup (name);
    }

  return total;
}

static Total *
take (JmGpuTotals *self, const char *name, const JmGpuMoment *moment)
{
  Total *total = find_or_add (self, name);

  if (total->seen_us == 0)
    total->seen_us = moment->round_us;

  return total;
}

static void
add_use (Total *total, gint64 utilization_ppm, gint64 span_us)
{
  double part = MIN ((double) utilization_ppm / PPM, 1);

  total->observed_us += span_us;
  total->busy_us += (gint64) (part * (double) span_us + 0.5);
}

/* Whether the state is that of the time from one answer, @since_us, to this one. */
static gboolean
span_take (Span *self, const JmGpuMoment *moment, gint64 *since_us)
{
  const gboolean goes_on = self->us != 0 && self->round + 1 == moment->round;

  *since_us = self->us;
  self->round = moment->round;
  if (!goes_on)
    {
      self->us = moment->round_us;
      return FALSE;
    }
  if (moment->answer_us - self->us < SAME_ANSWER_US)
    return FALSE;
  self->us = moment->answer_us;

  return TRUE;
}

void
jm_gpu_totals_take_use (JmGpuTotals *self,
                        const char *name,
                        gint64 utilization_ppm,
                        const JmGpuMoment *moment)
{
  Total *total = take (self, name, moment);
  gint64 since_us;

  if (total->busy_us < 0)
    {
      total->busy_us = 0;
      total->observed_us = 0;
      self->has_changed = TRUE;
    }

  if (!span_take (&total->use, moment, &since_us))
    return;

  add_use (total, utilization_ppm,
           MIN (moment->answer_us - since_us, moment->covered_us));
  self->has_changed = TRUE;
}

void
jm_gpu_totals_take_throttle (JmGpuTotals *self,
                             const char *name,
                             gboolean is_throttled,
                             const JmGpuMoment *moment)
{
  Total *total = take (self, name, moment);
  const gboolean is_new = total->throttled_us < 0;
  gint64 since_us;

  total->throttled_us = MAX (total->throttled_us, 0);
  if (span_take (&total->throttle, moment, &since_us) && is_throttled)
    total->throttled_us += MIN (moment->answer_us - since_us, moment->covered_us);
  self->has_changed |= is_new || is_throttled;
}

void
jm_gpu_totals_take_memory (JmGpuTotals *self,
                           const char *name,
                           gint64 used_bytes,
                           gint64 size_bytes,
                           const JmGpuMoment *moment)
{
  Total *total = take (self, name, moment);

  if (moment->answer_us > total->seen_us && used_bytes > total->peak_bytes)
    {
      total->peak_bytes = used_bytes;
      self->has_changed = TRUE;
    }
  if (size_bytes >= 0 && size_bytes != total->size_bytes)
    {
      total->size_bytes = size_bytes;
      self->has_changed = TRUE;
    }
}

gboolean
jm_gpu_totals_is_error (JmMetric metric)
{
  return metric == JM_METRIC_GPU_ECC_ERRORS || metric == JM_METRIC_GPU_XID_ERRORS;
}

static Errors *
add_errors (Total *total, JmMetric metric, JmLabels *labels)
{
  const Errors fresh = { .metric = metric, .labels = jm_labels_ref (labels) };

  if (total->errors == NULL)
    {
      total->errors = g_array_new (FALSE, FALSE, sizeof (Errors));
      g_array_set_clear_func (total->errors, errors_clear);
    }
  g_array_append_val (total->errors, fresh);

  return &g_array_index (total->errors, Errors, total->errors->len - 1);
}

/* NULL for one more than there can be. */
static Errors *
take_errors (Total *total, const JmReading *reading)
{
  const guint n = total->errors != NULL ? total->errors->len : 0;

  for (guint i = 0; i < n; i++)
    {
      Errors *errors = &g_array_index (total->errors, Errors, i);

      if (errors->metric == reading->metric && errors->labels == reading->labels)
        return errors;
    }

  return n < MAX_ERRORS ? add_errors (total, reading->metric, reading->labels) : NULL;
}

void
jm_gpu_totals_take_errors (JmGpuTotals *self, const char *name, const GArray *errors)
{
  Total *total = find_or_add (self, name);

  for (guint i = 0; i < errors->len; i++)
    {
      const JmReading *reading = &g_array_index (errors, JmReading, i);
      Errors *one = take_errors (total, reading);
      guint64 before;

      if (one == NULL)
        continue;
      /* a driver that was loaded anew counts from 0, as does an Xid that is new */
      before = one->has_last && one->last <= reading->value ? one->last : 0;
      if (reading->value > before &&
          (one->has_last ||
           (total->has_begun && one->metric == JM_METRIC_GPU_XID_ERRORS)))
        {
          one->grown += reading->value - before;
          self->has_changed = TRUE;
        }
      one->last = reading->value;
      one->has_last = TRUE;
    }
  total->has_begun = TRUE;
}

/* --- figures --- */

static void
tell (JmReadings *readings, JmMetric metric, gint64 value)
{
  if (value >= 0)
    jm_readings_add (readings, metric, (guint64) value);
}

void
jm_gpu_totals_tell (const JmGpuTotals *self,
                    const char *name,
                    gboolean has_ended,
                    JmReadings *readings)
{
  const Total *total = find (self, name);

  if (total == NULL)
    return;

  tell (readings, JM_METRIC_GPU_BUSY, total->busy_us);
  tell (readings, JM_METRIC_GPU_OBSERVED, total->observed_us);
  tell (readings, JM_METRIC_GPU_THROTTLED, total->throttled_us);
  tell (readings, JM_METRIC_GPU_MEMORY_PEAK, total->peak_bytes);
  if (has_ended)
    tell (readings, JM_METRIC_GPU_MEMORY_SIZE, total->size_bytes);
  for (guint i = 0; total->errors != NULL && i < total->errors->len; i++)
    {
      const Errors *errors = &g_array_index (total->errors, Errors, i);

      jm_readings_add_labelled (readings, errors->metric, errors->labels,
                                errors->grown);
    }
}

/* --- over a restart --- */

static GVariant *
save_errors (const Total *total)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(ssx)"));
  for (guint i = 0; total->errors != NULL && i < total->errors->len; i++)
    {
      const Errors *errors = &g_array_index (total->errors, Errors, i);

      g_variant_builder_add (&builder, "(ssx)", jm_metric_get_name (errors->metric),
                             jm_labels_get_value (errors->labels, 0),
                             (gint64) MIN (errors->grown, (guint64) MAX_NUMBER));
    }
  if (total->throttled_us >= 0)
    g_variant_builder_add (&builder, "(ssx)",
                           jm_metric_get_name (JM_METRIC_GPU_THROTTLED), "",
                           total->throttled_us);

  return g_variant_builder_end (&builder);
}

GBytes *
jm_gpu_totals_save (JmGpuTotals *self)
{
  GVariantBuilder builder;

  if (!self->has_changed)
    return NULL;

  self->has_changed = FALSE;
  g_variant_builder_init (&builder, G_VARIANT_TYPE (SAVED_TYPE));
  for (guint i = 0; i < self->devices->len; i++)
    {
      const Total *total = &g_array_index (self->devices, Total, i);

      g_variant_builder_add (&builder, "(sxxxx@a(ssx))", total->name, total->busy_us,
                             total->observed_us, total->peak_bytes, total->size_bytes,
                             save_errors (total));
    }

  return jm_versioned_pack (VERSION, g_variant_builder_end (&builder));
}

static gboolean
is_known_or_not (gint64 number)
{
  return number >= -1 && number <= MAX_NUMBER;
}

static gboolean
is_possible (const Total *total)
{
  return *total->name != '\0' && is_known_or_not (total->busy_us) &&
         is_known_or_not (total->observed_us) && is_known_or_not (total->peak_bytes) &&
         is_known_or_not (total->size_bytes) && total->busy_us <= total->observed_us &&
         (total->busy_us < 0) == (total->observed_us < 0);
}

/* Entries that are no known error are skipped. */
static void
restore_errors (Total *total, GVariant *saved)
{
  const char *name, *label;
  GVariantIter iter;
  gint64 n;

  g_variant_iter_init (&iter, saved);
  while (g_variant_iter_next (&iter, "(&s&sx)", &name, &label, &n))
    {
      g_autoptr (JmLabels) labels = jm_labels_of (label, NULL);
      JmReading reading = { .labels = labels };
      Errors *errors = NULL;

      if (n < 0 || n > MAX_NUMBER ||
          !jm_metric_from_name (name, JM_SUBJECT_KIND_JOB_GPU, &reading.metric))
        continue;
      if (reading.metric == JM_METRIC_GPU_THROTTLED)
        total->throttled_us = n;
      else if (jm_gpu_totals_is_error (reading.metric))
        errors = take_errors (total, &reading);
      if (errors != NULL)
        errors->grown = (guint64) n;
    }
}

JmGpuTotals *
jm_gpu_totals_restore (GBytes *bytes)
{
  g_autoptr (GVariant) value = jm_versioned_unpack (bytes, VERSION, SAVED_TYPE);
  const gboolean is_first = value == NULL;
  g_autoptr (JmGpuTotals) self = NULL;
  gsize n;

  if (is_first)
    value = jm_versioned_unpack (bytes, FIRST_VERSION, FIRST_SAVED_TYPE);
  n = value != NULL ? g_variant_n_children (value) : 0;
  if (value == NULL || n > MAX_DEVICES)
    return NULL;

  self = jm_gpu_totals_new ();
  for (gsize i = 0; i < n; i++)
    {
      Total total = { .throttled_us = -1 };
      g_autoptr (GVariant) errors = NULL;

      g_variant_get_child (value, i, is_first ? "(sxxxx)" : "(sxxxx@a(ssx))",
                           &total.name, &total.busy_us, &total.observed_us,
                           &total.peak_bytes, &total.size_bytes, &errors);
      if (errors != NULL)
        restore_errors (&total, errors);
      g_array_append_val (self->devices, total);
      if (!is_possible (&total))
        return NULL;
    }

  return g_steal_pointer (&self);
}
