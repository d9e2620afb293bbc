/* jmc-units.c: figures as people read them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-units.h"

/* Below this the figure keeps one decimal, from here on it has digits enough. */
#define SHORT_FIGURE 9.95

/* From so much on a unit is used, which has that size. */
typedef struct
{
  double from;
  double size;
  const char *name;
} Scale;

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

/* In the first unit that fits; the last one has no lower end. A figure never reads 1000
 * of a unit that is followed by one of a thousand. */
static char *
format_scaled (double value, const Scale *scales)
{
  const Scale *scale = scales;
  double scaled;

  while (scale->from > 0 && value < scale->from * 0.9995)
    scale++;
  scaled = value / scale->size;

  return g_strdup_printf (scaled > 0 && scaled < SHORT_FIGURE ? "%.1f%s" : "%.0f%s",
                          scaled, scale->name);
}

/* As energy: 0.5J, 12kJ; from a kilowatt-hour on 1.5kWh. */
char *
jmc_units_format_joules (double joules)
{
  static const Scale scales[] = {
    { 3.6e9, 3.6e9, "MWh" },
    { 3.6e6, 3.6e6, "kWh" },
    { 1e3, 1e3, "kJ" },
    { 0, 1, "J" },
  };

  return format_scaled (joules, scales);
}

/* As power: 7.5W, 312W, 1.2kW. */
char *
jmc_units_format_watts (double watts)
{
  static const Scale scales[] = {
    { 1e6, 1e6, "MW" },
    { 1e3, 1e3, "kW" },
    { 0, 1, "W" },
  };

  return format_scaled (watts, scales);
}

/* As mass: 0.2mg, 15mg, 1.5g, 12kg. */
char *
jmc_units_format_grams (double grams)
{
  static const Scale scales[] = {
    { 1e6, 1e6, "t" },
    { 1e3, 1e3, "kg" },
    { 1, 1, "g" },
    { 0, 1e-3, "mg" },
  };

  if (grams <= 0)
    return g_strdup ("0g");

  return format_scaled (grams, scales);
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
