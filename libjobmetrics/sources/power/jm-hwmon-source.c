/* jm-hwmon-source.c: power and energy as sensors of the kernel report it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-power-types-private.h"

#include <stdlib.h>
#include <string.h>

#include "base/jm-error.h"
#include "base/jm-parse-private.h"
#include "base/jm-path-error-private.h"
#include "core/jm-readings-private.h"
#include "core/jm-readings.h"
#include "host/jm-file-private.h"
#include "host/jm-source-private.h"
#include "sources/power/jm-energy-trace-private.h"
#include "sources/power/jm-power-bound-private.h"
#include "sources/power/jm-power-files-private.h"
#include "sources/power/jm-power-source.h"

#define HWMON_DIR "/sys/class/hwmon"
#define NUMBER_SIZE 64
#define LABEL_SIZE 256
#define MAX_SENSORS 256

typedef struct
{
  JmHwmonKind kind;
  char *channel; /* such as power1 */
  char *place;   /* such as hwmon3-power1 */
  char *path;
  char *domain; /* a GRefString */
  JmFile file;
  JmFile input; /* the power of the moment, where @file is an average */
  JmFile cap;   /* its limit */
  JmEnergyTotal energy;
} Sensor;

#define SENSOR_INIT                                                                    \
 {                                                                                     \
  .file = JM_FILE_INIT, .input = JM_FILE_INIT, .cap = JM_FILE_INIT                     \
 }

/*
 * JmHwmonSource:
 *
 * Power and energy as the kernel's drivers of sensors have it: ACPI power meters, among
 * them those of NVIDIA Grace, and the counters of AMD's `amd_energy`; others where they
 * are asked for.
 *
 * - Shape: `node` for an ACPI power meter without a label, if there is but one;
 *   `package-N` for `CPU Power Socket N` and `EsocketN`; all else by names of its own.
 *   Of a meter that has an average, the power of the moment besides; its limit.
 * - Units: microwatts of a meter, microjoules of a counter.
 * - Errors: `ABSENT` without such a sensor, `DENIED` where none may be read. A sensor
 *   that has no answer costs its own domain.
 * - Source: `/sys/class/hwmon`.
 *
 * Since: 0.1
 */
struct _JmHwmonSource
{
  JmSource parent_instance;

  char *chips;
  GArray *sensors; /* of Sensor */
};

static void power_source_iface_init (JmPowerSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmHwmonSource,
                               jm_hwmon_source,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_POWER_SOURCE,
                                                      power_source_iface_init))

static void
sensor_clear (gpointer data)
{
  Sensor *self = data;

  jm_file_close (&self->file);
  jm_file_close (&self->input);
  jm_file_close (&self->cap);
  g_free (self->channel);
  g_free (self->place);
  g_free (self->path);
  g_clear_pointer (&self->domain, g_ref_string_release);
}

static gboolean
sensor_read_number (Sensor *self, guint64 *value, GError **error)
{
  char text[NUMBER_SIZE];
  gssize length = jm_file_read (&self->file, text, sizeof text);

  if (length < 0)
    {
      jm_file_set_error (&self->file, length, error);
      return FALSE;
    }
  if (!jm_parse_uint64 (text, (gsize) length, value))
    {
      jm_file_set_malformed (&self->file, "not a number", text, (gsize) length, error);
      return FALSE;
    }

  return TRUE;
}

static void
sensor_set_error (Sensor *self, JmError code, guint64 value, GError **error)
{
  g_autofree char *path = jm_file_get_path (&self->file);

  g_set_error (error, JM_ERROR, (int) code,
               "%s: %" G_GUINT64_FORMAT " %s, which cannot be", path, value,
               self->kind == JM_HWMON_ENERGY ? "µJ" : "µW");
}

static gboolean
sensor_read_energy (Sensor *self, JmReadings *readings, GError **error)
{
  guint64 energy_uj;

  if (!sensor_read_number (self, &energy_uj, error))
    return FALSE;
  if (!jm_energy_total_take (&self->energy, energy_uj, g_get_monotonic_time ()))
    {
      sensor_set_error (self, JM_ERROR_MALFORMED, energy_uj, error);
      return FALSE;
    }

  jm_readings_add_energy (readings, self->domain, self->energy.total_uj);

  return TRUE;
}

/* A meter that shows 0 does not measure. */
static gboolean
sensor_read_power (Sensor *self, JmReadings *readings, GError **error)
{
  guint64 power_uw;

  if (!sensor_read_number (self, &power_uw, error))
    return FALSE;
  if (power_uw == 0 || !jm_power_is_possible (self->domain, power_uw))
    {
      sensor_set_error (self, power_uw == 0 ? JM_ERROR_UNAVAILABLE : JM_ERROR_MALFORMED,
                        power_uw, error);
      return FALSE;
    }

  jm_readings_add_power (readings, self->domain, power_uw);

  return TRUE;
}

/* What a sensor has besides; where it does not, nothing is missed. */
static void
tell_detail (Sensor *self,
             JmFile *file,
             JmMetric metric,
             const char *detail,
             JmReadings *readings)
{
  char text[NUMBER_SIZE];
  guint64 power_uw;
  gssize length;

  if (file->name == NULL)
    return;

  length = jm_file_read (file, text, sizeof text);
  if (length >= 0 && jm_parse_uint64 (text, (gsize) length, &power_uw) &&
      power_uw > 0 && jm_power_is_possible (self->domain, power_uw))
    jm_readings_add_detail (readings, metric, self->domain, detail, power_uw);
}

static gboolean
jm_hwmon_source_read (JmPowerSource *source, JmReadings *readings, GError **error)
{
  JmHwmonSource *self = JM_HWMON_SOURCE (source);
  g_autoptr (GError) first = NULL;
  guint n_read = 0;

  for (guint i = 0; i < self->sensors->len; i++)
    {
      Sensor *sensor = &g_array_index (self->sensors, Sensor, i);
      g_autoptr (GError) problem = NULL;

      if (sensor->kind == JM_HWMON_ENERGY
            ? sensor_read_energy (sensor, readings, &problem)
            : sensor_read_power (sensor, readings, &problem))
        n_read++;
      else
        jm_readings_add_error (readings, problem);
      tell_detail (sensor, &sensor->input, JM_METRIC_NODE_POWER_STATISTIC,
                   "instantaneous", readings);
      tell_detail (sensor, &sensor->cap, JM_METRIC_NODE_POWER_LIMIT, "cap", readings);
      if (first == NULL)
        first = g_steal_pointer (&problem);
    }

  if (n_read == 0)
    g_propagate_error (error, g_steal_pointer (&first));

  return n_read > 0;
}

static gboolean
jm_hwmon_source_trace (gpointer source, const char *domain, gpointer trace)
{
  JmHwmonSource *self = JM_HWMON_SOURCE (source);

  for (guint i = 0; i < self->sensors->len; i++)
    {
      const Sensor *sensor = &g_array_index (self->sensors, Sensor, i);

      if (sensor->kind == JM_HWMON_ENERGY && g_str_equal (sensor->domain, domain))
        return jm_energy_total_trace (&sensor->energy, trace);
    }

  return FALSE;
}

static void
power_source_iface_init (JmPowerSourceInterface *iface)
{
  iface->read = jm_hwmon_source_read;
  iface->trace = jm_hwmon_source_trace;
}

/* The text of a small file, or NULL where there is none or nothing in it. */
static char *
read_word (JmHost *host, const char *dir, const char *name)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);
  char text[LABEL_SIZE];

  if (jm_host_read (host, path, text, sizeof text, NULL) < 0)
    return NULL;

  g_strstrip (text);

  return text[0] != '\0' ? g_strdup (text) : NULL;
}

static char *
read_attribute (JmHost *host, const char *dir, const char *channel, const char *what)
{
  g_autofree char *name = g_strconcat (channel, "_", what, NULL);

  return read_word (host, dir, name);
}

static Sensor *
find_channel (GArray *sensors, guint from, const char *channel)
{
  for (guint i = from; i < sensors->len; i++)
    {
      Sensor *sensor = &g_array_index (sensors, Sensor, i);

      if (g_str_equal (sensor->channel, channel))
        return sensor;
    }

  return NULL;
}

static void
sensor_set (Sensor *self, JmHwmonKind kind, const char *dir, const char *name)
{
  self->kind = kind;
  g_free (self->path);
  self->path = g_build_filename (dir, name, NULL);
}

static int
compare_channels (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (((const Sensor *) a)->channel, ((const Sensor *) b)->channel);
}

/* Of a meter that has its present and its average power, the average counts. */
static void
list_channels (JmHost *host, const char *dir, GArray *found)
{
  g_auto (GStrv) names = jm_host_list_dir (host, dir, NULL);

  for (char **name = names; name != NULL && *name != NULL; name++)
    {
      g_autofree char *channel = NULL;
      JmHwmonKind kind = jm_hwmon_parse_file_name (*name, &channel);
      Sensor *known;

      if (kind == JM_HWMON_NONE || found->len >= MAX_SENSORS)
        continue;

      known = find_channel (found, 0, channel);
      if (known == NULL)
        {
          Sensor sensor = SENSOR_INIT;

          sensor.channel = g_steal_pointer (&channel);
          g_array_append_val (found, sensor);
          known = &g_array_index (found, Sensor, found->len - 1);
        }
      if (kind > known->kind)
        sensor_set (known, kind, dir, *name);
    }

  g_array_sort (found, compare_channels);
}

static char *
find_domain (JmHost *host, const char *dir, const char *chip, const char *channel)
{
  g_autofree char *is_battery = read_attribute (host, dir, channel, "is_battery");
  g_autofree char *label = read_attribute (host, dir, channel, "label");

  if (g_strcmp0 (is_battery, "1") == 0)
    return NULL;
  if (label == NULL)
    label = read_attribute (host, dir, channel, "oem_info");

  return jm_hwmon_make_domain (chip, channel, label);
}

/* Older drivers have their files with the device, not with the sensors. */
static void
add_chip (JmHwmonSource *self, const char *hwmon, const char *dir, const char *chip)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  g_autofree char *device = g_build_filename (dir, "device", NULL);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Sensor));

  g_array_set_clear_func (found, sensor_clear);
  list_channels (host, dir, found);
  if (found->len == 0)
    list_channels (host, device, found);

  for (guint i = 0; i < found->len && self->sensors->len < MAX_SENSORS; i++)
    {
      Sensor *sensor = &g_array_index (found, Sensor, i);
      g_autofree char *where = g_path_get_dirname (sensor->path);
      g_autofree char *domain = find_domain (host, where, chip, sensor->channel);

      if (domain == NULL)
        continue;

      sensor->domain = g_ref_string_new (domain);
      sensor->place = g_strconcat (hwmon, "-", sensor->channel, NULL);
      g_array_append_val (self->sensors, *sensor);
      *sensor = (Sensor) SENSOR_INIT;
    }
}

static gboolean
is_wanted (JmHwmonSource *self, const char *chip)
{
  g_auto (GStrv) chips = NULL;

  if (g_str_equal (chip, JM_HWMON_ACPI_METER) ||
      g_str_equal (chip, JM_HWMON_AMD_ENERGY))
    return TRUE;

  chips = g_strsplit (self->chips != NULL ? self->chips : "", ":", -1);

  return g_strv_contains ((const char *const *) chips, chip);
}

static guint
count_uses (GArray *sensors, const char *domain)
{
  guint n_uses = 0;

  for (guint i = 0; i < sensors->len; i++)
    if (g_str_equal (g_array_index (sensors, Sensor, i).domain, domain))
      n_uses++;

  return n_uses;
}

/* Which of several of one name is the whole cannot be known: each has its place put
 * before, and so none passes for the node. */
static void
tell_apart (GArray *sensors)
{
  for (guint i = 0; i < sensors->len; i++)
    {
      Sensor *sensor = &g_array_index (sensors, Sensor, i);

      if (count_uses (sensors, sensor->domain) == 1)
        g_clear_pointer (&sensor->place, g_free);
    }

  for (guint i = 0; i < sensors->len; i++)
    {
      Sensor *sensor = &g_array_index (sensors, Sensor, i);
      g_autofree char *domain = NULL;

      if (sensor->place == NULL)
        continue;

      domain = g_strconcat (sensor->place, "-", sensor->domain, NULL);
      g_ref_string_release (sensor->domain);
      sensor->domain = g_ref_string_new (domain);
    }
}

static int
compare_hwmons (gconstpointer a, gconstpointer b)
{
  const char *one = *(const char *const *) a;
  const char *other = *(const char *const *) b;
  gsize length = strlen (one);
  gsize other_length = strlen (other);

  /* hwmon2 before hwmon10 */
  return length != other_length ? (length > other_length) - (length < other_length)
                                : strcmp (one, other);
}

static gboolean
find_sensors (JmHwmonSource *self, GError **error)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  g_auto (GStrv) names = jm_host_list_dir (host, HWMON_DIR, error);

  if (names == NULL)
    return FALSE;

  qsort (names, g_strv_length (names), sizeof *names, compare_hwmons);
  for (char **name = names; *name != NULL; name++)
    {
      g_autofree char *dir = g_build_filename (HWMON_DIR, *name, NULL);
      g_autofree char *chip = read_word (host, dir, "name");

      if (chip == NULL)
        chip = read_word (host, dir, "device/name");
      if (chip != NULL && is_wanted (self, chip))
        add_chip (self, *name, dir, chip);
    }

  if (self->sensors->len == 0)
    {
      g_autofree char *path = jm_host_resolve (host, HWMON_DIR);

      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no meter of power or energy",
                   path);
    }

  return self->sensors->len > 0;
}

static void
open_detail (Sensor *self, JmHost *host, JmFile *file, const char *what)
{
  g_autofree char *dir = g_path_get_dirname (self->path);
  g_autofree char *name = g_strconcat (self->channel, what, NULL);
  g_autofree char *path = g_build_filename (dir, name, NULL);

  jm_file_open (file, host, path, JM_FILE_KEEP);
}

static void
open_details (Sensor *self, JmHost *host)
{
  if (self->kind == JM_HWMON_POWER_AVERAGE)
    open_detail (self, host, &self->input, "_input");
  if (self->kind != JM_HWMON_ENERGY)
    open_detail (self, host, &self->cap, "_cap");
}

/* A sensor that may not be read costs itself; FALSE where that is all of them. */
static gboolean
open_sensors (JmHwmonSource *self, GError **error)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  g_autoptr (GError) first = NULL;

  for (guint i = 0; i < self->sensors->len;)
    {
      Sensor *sensor = &g_array_index (self->sensors, Sensor, i);
      int result = jm_file_open (&sensor->file, host, sensor->path, JM_FILE_KEEP);

      if (result == 0)
        {
          open_details (sensor, host);
          i++;
          continue;
        }

      if (first == NULL)
        {
          g_autofree char *path = jm_host_resolve (host, sensor->path);

          jm_path_error_set_errno (&first, path, -result);
        }
      g_array_remove_index (self->sensors, i);
    }

  if (self->sensors->len == 0)
    g_propagate_error (error, g_steal_pointer (&first));

  return self->sensors->len > 0;
}

static gboolean
jm_hwmon_source_open (JmSource *source, GError **error)
{
  JmHwmonSource *self = JM_HWMON_SOURCE (source);

  g_array_set_size (self->sensors, 0);
  if (!find_sensors (self, error))
    return FALSE;

  tell_apart (self->sensors);

  return open_sensors (self, error);
}

static void
jm_hwmon_source_finalize (GObject *object)
{
  JmHwmonSource *self = JM_HWMON_SOURCE (object);

  g_array_unref (self->sensors);

  G_OBJECT_CLASS (jm_hwmon_source_parent_class)->finalize (object);
}

static void
jm_hwmon_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    jm_advice_add (advice,
                   "What amd_energy counts RAPL counts too; else a udev rule for the "
                   "files' mode",
                   NULL);
}

static void
jm_hwmon_source_class_init (JmHwmonSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_hwmon_source_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_hwmon_source_open;
  JM_SOURCE_CLASS (klass)->advise = jm_hwmon_source_advise;

  /*
   * JmHwmonSource:chips:
   *
   * Which chips are read besides ACPI power meters and `amd_energy`: their names as in
   * the files `/sys/class/hwmon/hwmonN/name`, with a colon between two.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "chips",
                            G_STRUCT_OFFSET (JmHwmonSource, chips), NULL);
}

static void
jm_hwmon_source_init (JmHwmonSource *self)
{
  self->sensors = g_array_new (FALSE, FALSE, sizeof (Sensor));
  g_array_set_clear_func (self->sensors, sensor_clear);
}
