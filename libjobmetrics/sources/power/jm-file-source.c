/* jm-file-source.c: power and energy, from a file that the site writes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-power-types-private.h"

#include <sys/stat.h>

#include "base/jm-error.h"
#include "sources/power/jm-meter-source-private.h"
#include "sources/power/jm-polled-source-private.h"

#define DEFAULT_INTERVAL_S 10
#define FILE_MAX (64 * 1024)
#define MAX_AGE_MAX_S (366 * 86400.0)

/*
 * JmFileSource:
 *
 * Reads what a file of the site holds: lines `DOMAIN VALUE UNIT`, such as
 * `node 312.5 W` or `package-0 123456789 uJ`, or a number alone if its unit is set. It
 * is read in the background, since it may be another machine's.
 *
 * - Errors: `INVALID` where #JmFileSource:path is not absolute.
 *
 * Since: 0.1
 */
struct _JmFileSource
{
  JmMeterSource parent_instance;
};

enum
{
  PROP_PATH = 1,
  PROP_INTERVAL,
  PROP_MAX_AGE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (JmFileSource, jm_file_source, JM_TYPE_METER_SOURCE)

static const char *
get_path (JmFileSource *self)
{
  return jm_polled_source_get_text (self, "path");
}

static gboolean
check_age (JmFileSource *self, GError **error)
{
  double max_age_s = jm_polled_source_get_seconds (self, "max-age");
  g_autofree char *real = NULL;
  struct stat status;
  double age_s;

  if (max_age_s <= 0)
    return TRUE;

  /* one that cannot be asked for its age cannot be read either, which says why */
  real = jm_host_resolve (jm_source_get_host (JM_SOURCE (self)), get_path (self));
  if (real == NULL || stat (real, &status) != 0)
    return TRUE;

  age_s = (double) g_get_real_time () / G_USEC_PER_SEC -
          (double) status.st_mtim.tv_sec - (double) status.st_mtim.tv_nsec / 1e9;
  if (age_s <= max_age_s)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "%s: last written %.0f seconds ago", get_path (self), age_s);
  return FALSE;
}

static char *
jm_file_source_read_text (gpointer source,
                          GCancellable *cancellable,
                          gsize *length,
                          GError **error)
{
  JmFileSource *self = source;

  if (!check_age (self, error))
    return NULL;

  return jm_host_read_all (jm_source_get_host (source), get_path (self), FILE_MAX,
                           length, error);
}

static gboolean
jm_file_source_open (JmSource *source, GError **error)
{
  const char *path = get_path (JM_FILE_SOURCE (source));

  if (path != NULL && g_path_is_absolute (path))
    return jm_meter_source_start (JM_METER_SOURCE (source), path, error);

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "path: an absolute one is needed: %s",
               path != NULL ? path : "none is given");

  return FALSE;
}

static void
jm_file_source_class_init (JmFileSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  JM_SOURCE_CLASS (klass)->open = jm_file_source_open;
  JM_POLLED_SOURCE_CLASS (klass)->thread_name = "jm-file";
  JM_METER_SOURCE_CLASS (klass)->read_text = jm_file_source_read_text;

  /*
   * JmFileSource:path:
   *
   * The logical path of the file. It need not be there yet.
   *
   * Since: 0.1
   */
  properties[PROP_PATH] = jm_polled_source_text_property ("path", NULL);

  /*
   * JmFileSource:interval:
   *
   * How often the meter is asked, seconds.
   *
   * Since: 0.1
   */
  properties[PROP_INTERVAL] = jm_polled_source_interval_property (DEFAULT_INTERVAL_S);

  /*
   * JmFileSource:max-age:
   *
   * After how many seconds without a change the file is no answer any more; 0 is never.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_AGE] =
    jm_polled_source_seconds_property ("max-age", 0, MAX_AGE_MAX_S, 0);

  jm_polled_source_install_settings (object_class, N_PROPS, properties);
}

static void
jm_file_source_init (JmFileSource *self)
{
}
