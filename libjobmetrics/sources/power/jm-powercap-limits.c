/* jm-powercap-limits.c: what a zone of powercap may take
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-powercap-limits-private.h"

#include "core/jm-readings-private.h"
#include "host/jm-file-private.h"
#include "host/jm-parse-private.h"
#include "sources/power/jm-power-bound-private.h"

#define MAX_LIMITS 3
#define NAME_MAX_LENGTH 40

typedef struct
{
  char *name;
  JmFile file;
} Limit;

struct _JmPowercapLimits
{
  GArray *limits; /* of Limit */
};

static void
limit_clear (gpointer data)
{
  Limit *self = data;

  jm_file_close (&self->file);
  g_free (self->name);
}

/* Whether it may stand in a label as it is. */
static gboolean
is_name (const char *name)
{
  gsize length = strlen (name);

  return length > 0 && length <= NAME_MAX_LENGTH &&
         strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == length;
}

static void
add_limit (JmPowercapLimits *self, JmHost *host, const char *dir, guint i)
{
  g_autofree char *name_path = g_strdup_printf ("%s/constraint_%u_name", dir, i);
  g_autofree char *path = g_strdup_printf ("%s/constraint_%u_power_limit_uw", dir, i);
  Limit limit = { NULL, JM_FILE_INIT };
  char name[NAME_MAX_LENGTH + 2];

  if (jm_host_read (host, name_path, name, sizeof name, NULL) < 0 ||
      !is_name (g_strstrip (name)) ||
      jm_file_open (&limit.file, host, path, JM_FILE_KEEP) != 0)
    return;

  limit.name = g_strdup (name);
  g_array_append_val (self->limits, limit);
}

JmPowercapLimits *
jm_powercap_limits_new (JmHost *host, const char *counter)
{
  JmPowercapLimits *self = g_new0 (JmPowercapLimits, 1);
  g_autofree char *dir = g_path_get_dirname (counter);

  self->limits = g_array_new (FALSE, FALSE, sizeof (Limit));
  g_array_set_clear_func (self->limits, limit_clear);
  for (guint i = 0; i < MAX_LIMITS; i++)
    add_limit (self, host, dir, i);

  return self;
}

void
jm_powercap_limits_free (JmPowercapLimits *self)
{
  g_array_unref (self->limits);
  g_free (self);
}

void
jm_powercap_limits_tell (JmPowercapLimits *self,
                         const char *domain,
                         JmReadings *readings)
{
  for (guint i = 0; i < self->limits->len; i++)
    {
      Limit *limit = &g_array_index (self->limits, Limit, i);
      char text[64];
      gssize n = jm_file_read (&limit->file, text, sizeof text);
      guint64 power_uw;

      if (n >= 0 && jm_parse_uint64 (text, (gsize) n, &power_uw) && power_uw > 0 &&
          jm_power_is_possible (domain, power_uw))
        jm_readings_add_detail (readings, JM_METRIC_NODE_POWER_LIMIT, domain,
                                limit->name, power_uw);
    }
}
