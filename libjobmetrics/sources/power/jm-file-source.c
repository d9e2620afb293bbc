/* jm-file-source.c: power and energy, from a file that the site writes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-file-source.h"

#include <sys/stat.h>

#include "core/jm-error.h"
#include "sources/power/jm-polled-source-private.h"
#include "sources/power/jm-power-meter-private.h"

#define DEFAULT_INTERVAL_S 10
#define FILE_MAX (64 * 1024)
#define MAX_AGE_MAX_S (366 * 86400.0)

/**
 * JmFileSource:
 *
 * Tells what a file of the site holds: lines `DOMAIN VALUE UNIT`, such as
 * `node 312.5 W` or `package-0 123456789 uJ`, or a number alone if its unit is set. It
 * is read in the background, since it may be another machine's.
 *
 * Since: 0.1
 */
struct _JmFileSource
{
  JmPolledSource parent_instance;

  char *path;
  double max_age_s;
  JmPowerMeterSettings settings;
  JmPowerMeter *meter; /* of the thread that asks */
};

enum
{
  PROP_PATH = 1,
  PROP_INTERVAL,
  PROP_MAX_AGE,
  PROP_DOMAIN,
  PROP_UNIT,
  PROP_RANGE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (JmFileSource, jm_file_source, JM_TYPE_POLLED_SOURCE)

static gboolean
check_age (JmFileSource *self, GError **error)
{
  g_autofree char *real = NULL;
  struct stat status;
  double age_s;

  if (self->max_age_s <= 0)
    return TRUE;

  /* one that cannot be asked for its age cannot be read either, which says why */
  real = jm_host_resolve (jm_source_get_host (JM_SOURCE (self)), self->path);
  if (real == NULL || stat (real, &status) != 0)
    return TRUE;

  age_s = (double) g_get_real_time () / G_USEC_PER_SEC -
          (double) status.st_mtim.tv_sec - (double) status.st_mtim.tv_nsec / 1e9;
  if (age_s <= self->max_age_s)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "%s: last written %.0f seconds ago", self->path, age_s);
  return FALSE;
}

static gpointer
jm_file_source_poll (gpointer user_data, GCancellable *cancellable, GError **error)
{
  JmFileSource *self = user_data;
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  g_autofree char *text = NULL;
  gsize length;

  if (!check_age (self, error))
    return NULL;

  text = jm_host_read_all (host, self->path, FILE_MAX, &length, error);
  if (text == NULL)
    return NULL;

  return jm_power_meter_take (self->meter, text, length, g_get_monotonic_time (),
                              error);
}

static gboolean
jm_file_source_open (JmSource *source, GError **error)
{
  JmFileSource *self = JM_FILE_SOURCE (source);

  if (self->path == NULL || !g_path_is_absolute (self->path))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "path: an absolute one is needed: %s",
                   self->path != NULL ? self->path : "none is given");
      return FALSE;
    }

  self->meter = jm_power_meter_new (&self->settings, self->path, error);
  if (self->meter == NULL)
    return FALSE;

  jm_polled_source_start (JM_POLLED_SOURCE (self), self->path);

  return TRUE;
}

static void
jm_file_source_get_property (GObject *object,
                             guint id,
                             GValue *value,
                             GParamSpec *pspec)
{
  JmFileSource *self = JM_FILE_SOURCE (object);

  switch (id)
    {
    case PROP_PATH:
      g_value_set_string (value, self->path);
      break;
    case PROP_MAX_AGE:
      g_value_set_double (value, self->max_age_s);
      break;
    case PROP_DOMAIN:
      g_value_set_string (value, self->settings.domain);
      break;
    case PROP_UNIT:
      g_value_set_string (value, self->settings.unit);
      break;
    case PROP_RANGE:
      g_value_set_string (value, self->settings.range);
      break;
    default:
      G_OBJECT_CLASS (jm_file_source_parent_class)
        ->get_property (object, id, value, pspec);
    }
}

static void
jm_file_source_set_property (GObject *object,
                             guint id,
                             const GValue *value,
                             GParamSpec *pspec)
{
  JmFileSource *self = JM_FILE_SOURCE (object);

  switch (id)
    {
    case PROP_PATH:
      self->path = g_value_dup_string (value);
      break;
    case PROP_MAX_AGE:
      self->max_age_s = g_value_get_double (value);
      break;
    case PROP_DOMAIN:
      self->settings.domain = g_value_dup_string (value);
      break;
    case PROP_UNIT:
      self->settings.unit = g_value_dup_string (value);
      break;
    case PROP_RANGE:
      self->settings.range = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_CLASS (jm_file_source_parent_class)
        ->set_property (object, id, value, pspec);
    }
}

static void
jm_file_source_finalize (GObject *object)
{
  JmFileSource *self = JM_FILE_SOURCE (object);

  g_clear_pointer (&self->meter, jm_power_meter_free);
  jm_power_meter_settings_clear (&self->settings);
  g_free (self->path);

  G_OBJECT_CLASS (jm_file_source_parent_class)->finalize (object);
}

static void
jm_file_source_class_init (JmFileSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  JmPolledSourceClass *polled_class = JM_POLLED_SOURCE_CLASS (klass);
  const GParamFlags flags =
    G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  JM_SOURCE_CLASS (klass)->open = jm_file_source_open;
  polled_class->thread_name = "jm-file";
  polled_class->poll = jm_file_source_poll;
  object_class->get_property = jm_file_source_get_property;
  object_class->set_property = jm_file_source_set_property;
  object_class->finalize = jm_file_source_finalize;

  /**
   * JmFileSource:path:
   *
   * The logical path of the file. It need not be there yet.
   *
   * Since: 0.1
   */
  properties[PROP_PATH] = g_param_spec_string ("path", NULL, NULL, NULL, flags);

  /**
   * JmFileSource:interval:
   *
   * How often the meter is asked, seconds.
   *
   * Since: 0.1
   */
  properties[PROP_INTERVAL] = jm_polled_source_interval_property (DEFAULT_INTERVAL_S);

  /**
   * JmFileSource:max-age:
   *
   * After how many seconds without a change the file is no answer any more; 0 is never.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_AGE] =
    g_param_spec_double ("max-age", NULL, NULL, 0, MAX_AGE_MAX_S, 0, flags);

  /**
   * JmFileSource:domain:
   *
   * What a number alone is about; %NULL is `node`.
   *
   * Since: 0.1
   */
  properties[PROP_DOMAIN] = g_param_spec_string ("domain", NULL, NULL, NULL, flags);

  /**
   * JmFileSource:unit:
   *
   * The unit of a number alone: W, mW, uW, J, mJ, kJ, uJ, Wh or kWh. %NULL where there
   * is a unit in each line.
   *
   * Since: 0.1
   */
  properties[PROP_UNIT] = g_param_spec_string ("unit", NULL, NULL, NULL, flags);

  /**
   * JmFileSource:range:
   *
   * The energy at which counters begin again at zero, such as `65536 J`; %NULL where
   * they never do. One that goes back is then out of order.
   *
   * Since: 0.1
   */
  properties[PROP_RANGE] = g_param_spec_string ("range", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
jm_file_source_init (JmFileSource *self)
{
}

/**
 * jm_file_source_new:
 * @host: the host
 * @path: the logical path of the file
 * @error: return location for an error
 *
 * Begins to read a file that tells power or energy. One that is not there is told when
 * it is read: it may come later.
 *
 * - Errors: `INVALID` where @path is not absolute.
 *
 * Returns: (transfer full): the source
 * Since: 0.1
 */
JmFileSource *
jm_file_source_new (JmHost *host, const char *path, GError **error)
{
  return g_initable_new (JM_TYPE_FILE_SOURCE, NULL, error, "host", host, "path", path,
                         NULL);
}
