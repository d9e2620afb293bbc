/* jm-gpu-gauges.c: files that hold one figure of an accelerator each
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-drm-card-private.h"

#include "base/jm-error.h"
#include "base/jm-parse-private.h"
#include "core/jm-gpu-report-private.h"
#include "host/jm-file-private.h"
#include "sources/gpu/jm-gpu-levels-private.h"

#define TEXT_SIZE 4096

#define NUMBER_SIZE 64
/* Channels of a chip are counted from 1. */
#define MAX_CHANNELS 16

typedef struct
{
  const JmGpuGauge *gauge;
  JmLabels *labels;
  JmFile file;
} Entry;

struct _JmGpuGauges
{
  JmHost *host;
  GArray *entries; /* of Entry */
};

/* https://docs.kernel.org/hwmon/sysfs-interface.html; those that have more of the same
 * come first. */
static const struct
{
  const char *prefix;
  const char *suffix;
  gboolean is_labelled; /* each channel counts, by its label */
  JmGpuGauge gauge;
} sensors[] = {
  { "power", "_average", FALSE, { JM_METRIC_GPU_POWER, 1, 1, JM_GPU_MAX_POWER_UW } },
  { "power", "_input", FALSE, { JM_METRIC_GPU_POWER, 1, 1, JM_GPU_MAX_POWER_UW } },
  { "power", "_max", FALSE, { JM_METRIC_GPU_POWER_LIMIT, 1, 1, JM_GPU_MAX_POWER_UW } },
  { "power", "_cap", FALSE, { JM_METRIC_GPU_POWER_LIMIT, 1, 1, JM_GPU_MAX_POWER_UW } },
  { "energy", "_input", FALSE, { JM_METRIC_GPU_ENERGY, 1, 0, G_MAXINT64 } },
  { "temp",
    "_input",
    TRUE,
    { JM_METRIC_GPU_TEMPERATURE, 1, 1, JM_GPU_MAX_TEMPERATURE_MC } },
  { "freq", "_input", TRUE, { JM_METRIC_GPU_CLOCK, 1, 0, JM_GPU_MAX_CLOCK_HZ } },
};

/* What drivers call what all devices have. */
static const struct
{
  const char *label;
  const char *name;
} names[] = {
  { "sclk", "graphics" },
  { "mclk", "memory" },
  { "mem", "memory" },
  { "vram", "memory" },
};

static void
entry_clear (gpointer data)
{
  Entry *self = data;

  jm_file_close (&self->file);
  g_clear_pointer (&self->labels, jm_labels_unref);
}

JmGpuGauges *
jm_gpu_gauges_new (JmHost *host)
{
  JmGpuGauges *self = g_new0 (JmGpuGauges, 1);

  self->host = g_object_ref (host);
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (self->entries, entry_clear);

  return self;
}

void
jm_gpu_gauges_free (JmGpuGauges *self)
{
  g_array_unref (self->entries);
  g_object_unref (self->host);
  g_free (self);
}

/* Two files of one metric have different labels. */
static gboolean
has_entry (JmGpuGauges *self, JmMetric metric, JmLabels *labels)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, i);

      if (entry->gauge->metric == metric && entry->labels == labels)
        return TRUE;
    }

  return FALSE;
}

gboolean
jm_gpu_gauges_add (JmGpuGauges *self,
                   const JmGpuGauge *gauge,
                   const char *label,
                   const char *dir,
                   const char *name)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);
  g_autoptr (JmLabels) labels = label != NULL ? jm_labels_of (label, NULL) : NULL;
  Entry entry = { gauge, NULL, JM_FILE_INIT };

  if (has_entry (self, gauge->metric, labels) ||
      jm_file_open (&entry.file, self->host, path, JM_FILE_KEEP) != 0)
    return FALSE;

  entry.labels = g_steal_pointer (&labels);
  g_array_append_val (self->entries, entry);

  return TRUE;
}

/* --- sensors --- */

static char *
find_chip (JmHost *host, const char *device, const char *chip)
{
  g_autofree char *dir = g_build_filename (device, "hwmon", NULL);
  g_auto (GStrv) hwmons = jm_host_list_dir (host, dir, NULL);

  for (char **hwmon = hwmons; hwmon != NULL && *hwmon != NULL; hwmon++)
    {
      g_autofree char *path = g_build_filename (dir, *hwmon, NULL);
      g_autofree char *name = jm_gpu_read_text (host, path, "name");

      if (g_strcmp0 (name, chip) == 0)
        return g_steal_pointer (&path);
    }

  return NULL;
}

/* What the channel is called, in one word for all makers; else by its own name. */
static char *
read_label (JmHost *host, const char *dir, const char *channel)
{
  g_autofree char *file = g_strconcat (channel, "_label", NULL);
  g_autofree char *label = jm_gpu_read_text (host, dir, file);

  if (label == NULL)
    return g_strdup (channel);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (label, names[i].label))
      return g_strdup (names[i].name);

  return g_utf8_make_valid (label, -1);
}

void
jm_gpu_gauges_add_hwmon (JmGpuGauges *self, const char *device, const char *chip)
{
  g_autofree char *dir = find_chip (self->host, device, chip);

  for (guint i = 0; dir != NULL && i < G_N_ELEMENTS (sensors); i++)
    for (guint j = 1; j <= MAX_CHANNELS; j++)
      {
        g_autofree char *channel = g_strdup_printf ("%s%u", sensors[i].prefix, j);
        g_autofree char *file = g_strconcat (channel, sensors[i].suffix, NULL);
        g_autofree char *label =
          sensors[i].is_labelled ? read_label (self->host, dir, channel) : NULL;

        jm_gpu_gauges_add (self, &sensors[i].gauge, label, dir, file);
      }
}

/* --- reading --- */

static gboolean
set_silent (const Entry *self, GError **error)
{
  g_autofree char *path = jm_file_get_path (&self->file);

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: measures nothing", path);

  return FALSE;
}

/* Nothing at all is what a virtual function says of what is its host's. */
static gboolean
entry_read (Entry *self, guint64 *value, GError **error)
{
  char text[NUMBER_SIZE];
  gssize length = jm_file_read (&self->file, text, sizeof text);

  if (length == 0)
    return set_silent (self, error);
  if (length < 0)
    {
      jm_file_set_error (&self->file, length, error);
      return FALSE;
    }
  if (!jm_parse_uint64 (text, (gsize) length, value) || *value > self->gauge->max)
    {
      jm_file_set_malformed (&self->file, "cannot be", text, (gsize) length, error);
      return FALSE;
    }

  return *value >= self->gauge->min || set_silent (self, error);
}

/* Many files have no answer on a device that does not measure that: it is no fault. */
gboolean
jm_gpu_gauges_read (JmGpuGauges *self,
                    gboolean levels_only,
                    JmGpuReport *report,
                    GError **error)
{
  g_autoptr (GError) first = NULL;
  guint n_read = 0;

  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = &g_array_index (self->entries, Entry, i);
      g_autoptr (GError) problem = NULL;
      guint64 value;

      if (levels_only && !jm_gpu_is_level (entry->gauge->metric))
        continue;
      if (entry_read (entry, &value, &problem))
        {
          n_read++;
          jm_gpu_report_add_labelled (report, entry->gauge->metric, entry->labels,
                                      value * entry->gauge->scale);
        }
      else if (g_error_matches (problem, JM_ERROR, JM_ERROR_MALFORMED))
        jm_gpu_report_add_error (report, problem);
      if (first == NULL)
        first = g_steal_pointer (&problem);
    }

  if (n_read > 0 || first == NULL)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&first));

  return FALSE;
}

char *
jm_gpu_read_text (JmHost *host, const char *dir, const char *name)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);
  char text[TEXT_SIZE];

  if (jm_host_read (host, path, text, sizeof text, NULL) < 0)
    return NULL;

  g_strstrip (text);

  return text[0] != '\0' ? g_strdup (text) : NULL;
}
