/* jme-ceems-time.c: times and lengths as schedulers write them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-ceems-time.h"

#define DAY_SECONDS 86400

char *
jme_ceems_format_time (gint64 seconds, GTimeZone *zone, const char *format)
{
  g_autoptr (GDateTime) utc =
    seconds > 0 ? g_date_time_new_from_unix_utc (seconds) : NULL;
  g_autoptr (GDateTime) time = utc != NULL ? g_date_time_to_timezone (utc, zone) : NULL;

  return time != NULL ? g_date_time_format (time, format) : g_strdup ("Unknown");
}

char *
jme_ceems_format_length (gint64 seconds)
{
  gint64 days = seconds / DAY_SECONDS;
  guint rest = (guint) (seconds % DAY_SECONDS);
  g_autofree char *clock =
    g_strdup_printf ("%02u:%02u:%02u", rest / 3600, rest / 60 % 60, rest % 60);

  return days > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT "-%s", days, clock)
                  : g_steal_pointer (&clock);
}
