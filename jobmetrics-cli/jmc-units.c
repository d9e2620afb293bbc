/* jmc-units.c: figures as people read them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-units.h"

/* Below this the figure keeps one decimal, from here on it has digits enough. */
#define SHORT_FIGURE 9.95

/* As bytes: 512B, 1.5KiB, 12MiB. A figure never reads 1024 of a unit. */
char *
jmc_units_format_bytes (double bytes)
{
  static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
  guint unit = 0;

  while (bytes >= 1023.5 && unit + 1 < G_N_ELEMENTS (units))
    {
      bytes /= 1024;
      unit++;
    }

  if (unit > 0 && bytes < SHORT_FIGURE)
    return g_strdup_printf ("%.1f%s", bytes, units[unit]);

  return g_strdup_printf ("%.0f%s", bytes, units[unit]);
}

/* As time spent: 0.25s, 5m07s, 2h13m07s, 3d04h13m. */
char *
jmc_units_format_duration (double seconds)
{
  guint64 whole;

  if (seconds < 59.995)
    return g_strdup_printf ("%.2fs", seconds);

  whole = (guint64) (seconds + 0.5);
  if (whole < 3600)
    return g_strdup_printf ("%um%02us", (guint) whole / 60, (guint) whole % 60);

  if (whole < 86400)
    return g_strdup_printf ("%uh%02um%02us", (guint) whole / 3600,
                            (guint) whole / 60 % 60, (guint) whole % 60);

  return g_strdup_printf ("%" G_GUINT64_FORMAT "d%02uh%02um", whole / 86400,
                          (guint) (whole / 3600 % 24), (guint) (whole / 60 % 60));
}

char *
jmc_units_format_count (double count)
{
  return g_strdup_printf ("%.0f", count);
}

char *
jmc_units_format_percent (double percent)
{
  return g_strdup_printf ("%.1f%%", percent);
}

/* As a moment in local time; @seconds since 1970. */
char *
jmc_units_format_time (gint64 seconds)
{
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_local (seconds);

  /* GDateTime ends with the year 9999; what lies beyond is still worth a number. */
  if (moment == NULL)
    return g_strdup_printf ("%" G_GINT64_FORMAT, seconds);

  return g_date_time_format (moment, "%Y-%m-%d %H:%M:%S");
}
