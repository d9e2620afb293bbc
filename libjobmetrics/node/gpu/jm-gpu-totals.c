/* jm-gpu-totals.c: what a job made of each of its accelerators so far
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/gpu/jm-gpu-job-private.h"

#include "core/jm-readings-private.h"
#include "sql/jm-versioned-private.h"

#define VERSION 1
#define PPM 1e6
/* By which the time of one answer may differ when it is looked at twice. */
#define SAME_ANSWER_US 1000
/* What no job reaches. */
#define MAX_NUMBER (G_GINT64_CONSTANT (1) << 60)
/* More devices than any node has, however often they are cut up anew. */
#define MAX_DEVICES 4096

/* Name; microseconds busy and observed, bytes of the peak and in all: -1 for unknown.
 */
#define SAVED_TYPE "a(sxxxx)"

typedef struct
{
  char *name;
  gint64 busy_us; /* -1 before its use was told at all, as in the next three */
  gint64 observed_us;
  gint64 peak_bytes;
  gint64 size_bytes;

  gint64 seen_us;  /* by this program first; 0 before */
  guint use_round; /* the last that had a use */
  gint64 used_us;  /* up to when it is known */
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
take (JmGpuTotals *self, const char *name, const JmGpuMoment *moment)
{
  Total *total = find (self, name);
  const Total fresh = { NULL, -1, -1, -1, -1, 0, 0, 0 };

  if (total == NULL)
    {
      g_array_append_val (self->devices, fresh);
      total = &g_array_index (self->devices, Total, self->devices->len - 1);
      total->name = g_strdup (name);
    }
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

void
jm_gpu_totals_take_use (JmGpuTotals *self,
                        const char *name,
                        gint64 utilization_ppm,
                        const JmGpuMoment *moment)
{
  Total *total = take (self, name, moment);
  gboolean goes_on = total->used_us != 0 && total->use_round + 1 == moment->round;

  if (total->busy_us < 0)
    {
      total->busy_us = 0;
      total->observed_us = 0;
      self->has_changed = TRUE;
    }

  total->use_round = moment->round;
  if (!goes_on)
    {
      total->used_us = moment->round_us;
      return;
    }
  if (moment->answer_us - total->used_us < SAME_ANSWER_US)
    return;

  add_use (total, utilization_ppm,
           MIN (moment->answer_us - total->used_us, moment->covered_us));
  total->used_us = moment->answer_us;
  self->has_changed = TRUE;
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

/* --- telling --- */

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
  tell (readings, JM_METRIC_GPU_MEMORY_PEAK, total->peak_bytes);
  if (has_ended)
    tell (readings, JM_METRIC_GPU_MEMORY_SIZE, total->size_bytes);
}

/* --- over a restart --- */

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

      g_variant_builder_add (&builder, "(sxxxx)", total->name, total->busy_us,
                             total->observed_us, total->peak_bytes, total->size_bytes);
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

JmGpuTotals *
jm_gpu_totals_restore (GBytes *bytes)
{
  g_autoptr (GVariant) value = jm_versioned_unpack (bytes, VERSION, SAVED_TYPE);
  g_autoptr (JmGpuTotals) self = NULL;
  gsize n = value != NULL ? g_variant_n_children (value) : 0;

  if (value == NULL || n > MAX_DEVICES)
    return NULL;

  self = jm_gpu_totals_new ();
  for (gsize i = 0; i < n; i++)
    {
      Total total = { 0 };

      g_variant_get_child (value, i, "(sxxxx)", &total.name, &total.busy_us,
                           &total.observed_us, &total.peak_bytes, &total.size_bytes);
      g_array_append_val (self->devices, total);
      if (!is_possible (&total))
        return NULL;
    }

  return g_steal_pointer (&self);
}
