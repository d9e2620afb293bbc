/* jm-format.c: how people read and type a figure
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-format.h"

#include <math.h>
#include <string.h>

#include "base/jm-error.h"
#include "base/jm-number-private.h"
#include "core/jm-figure-private.h"

#define JOULES_PER_KWH 3.6e6

#define KIB 1024.0
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define TIB (1024 * GIB)
#define PIB (1024 * TIB)

/* Below this the figure keeps one decimal, from here on it has digits enough. */
#define SHORT_FIGURE 9.95

/* Of a figure in the unit of a greater one. */
#define MAX_DECIMALS 6
#define LEAST 1e-6
#define LEAST_TEXT "0.000001"

/* More seconds than this are no whole number in 64 bits. */
#define MAX_SECONDS 1e18

/* From so much on a unit is used, which has that size. */
typedef struct
{
  double from;
  double size;
  const char *name;
} Scale;

typedef struct
{
  JmFormat format;
  const char *name;
  double factor;
} Unit;

/* A bare K, M or G of memory is Slurm's, of 1024; of things it is a thousand. */
static const Unit units[] = {
  { JM_FORMAT_BYTES, "B", 1 },
  { JM_FORMAT_BYTES, "K", KIB },
  { JM_FORMAT_BYTES, "M", MIB },
  { JM_FORMAT_BYTES, "G", GIB },
  { JM_FORMAT_BYTES, "T", TIB },
  { JM_FORMAT_BYTES, "P", PIB },
  { JM_FORMAT_BYTES, "KiB", KIB },
  { JM_FORMAT_BYTES, "MiB", MIB },
  { JM_FORMAT_BYTES, "GiB", GIB },
  { JM_FORMAT_BYTES, "TiB", TIB },
  { JM_FORMAT_BYTES, "PiB", PIB },
  { JM_FORMAT_BYTES, "kB", 1e3 },
  { JM_FORMAT_BYTES, "KB", 1e3 },
  { JM_FORMAT_BYTES, "MB", 1e6 },
  { JM_FORMAT_BYTES, "GB", 1e9 },
  { JM_FORMAT_BYTES, "TB", 1e12 },
  { JM_FORMAT_BYTES, "PB", 1e15 },
  { JM_FORMAT_COUNT, "K", 1e3 },
  { JM_FORMAT_COUNT, "M", 1e6 },
  { JM_FORMAT_COUNT, "G", 1e9 },
  { JM_FORMAT_COUNT, "T", 1e12 },
  { JM_FORMAT_DURATION, "ms", 1e-3 },
  { JM_FORMAT_DURATION, "s", 1 },
  { JM_FORMAT_DURATION, "m", 60 },
  { JM_FORMAT_DURATION, "min", 60 },
  { JM_FORMAT_DURATION, "h", 3600 },
  { JM_FORMAT_DURATION, "d", 86400 },
  { JM_FORMAT_PERCENT, "%", 1 },
  { JM_FORMAT_JOULES, "J", 1 },
  { JM_FORMAT_JOULES, "kJ", 1e3 },
  { JM_FORMAT_JOULES, "MJ", 1e6 },
  { JM_FORMAT_JOULES, "Wh", 3600 },
  { JM_FORMAT_JOULES, "kWh", 3.6e6 },
  { JM_FORMAT_JOULES, "MWh", 3.6e9 },
  { JM_FORMAT_WATTS, "mW", 1e-3 },
  { JM_FORMAT_WATTS, "W", 1 },
  { JM_FORMAT_WATTS, "kW", 1e3 },
  { JM_FORMAT_GRAMS, "mg", 1e-3 },
  { JM_FORMAT_GRAMS, "g", 1 },
  { JM_FORMAT_GRAMS, "kg", 1e3 },
  { JM_FORMAT_GRAMS, "t", 1e6 },
  { JM_FORMAT_GRAMS_PER_JOULE, "g/kWh", 1 / JOULES_PER_KWH },
  { JM_FORMAT_BYTE_SECONDS, "MiBh", 3600 * MIB },
  { JM_FORMAT_BYTE_SECONDS, "GiBh", 3600 * GIB },
  { JM_FORMAT_BYTE_SECONDS, "TiBh", 3600 * TIB },
};

/* --- as people read it --- */

/* As bytes: 512B, 1.5KiB, 12MiB. A figure never reads 1024 of a unit. */
static char *
format_bytes (double bytes)
{
  static const char *const names[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
  guint unit = 0;

  while (bytes >= 1023.5 && unit + 1 < G_N_ELEMENTS (names))
    {
      bytes /= 1024;
      unit++;
    }

  if (unit > 0 && bytes < SHORT_FIGURE)
    return g_strdup_printf ("%.1f%s", bytes, names[unit]);

  return g_strdup_printf ("%.0f%s", bytes, names[unit]);
}

/* As memory by hours: 3.2GiBh. */
static char *
format_byte_seconds (double value)
{
  g_autofree char *bytes = format_bytes (value / 3600);

  return g_strconcat (bytes, "h", NULL);
}

/* As time spent: 0.25s, 5m07s, 2h13m07s, 3d04h13m. */
static char *
format_duration (double seconds)
{
  guint64 whole;

  if (seconds < 59.995)
    return g_strdup_printf ("%.2fs", seconds);

  whole = (guint64) (MIN (seconds, MAX_SECONDS) + 0.5);
  if (whole < 3600)
    return g_strdup_printf ("%um%02us", (guint) whole / 60, (guint) whole % 60);

  if (whole < 86400)
    return g_strdup_printf ("%uh%02um%02us", (guint) whole / 3600,
                            (guint) whole / 60 % 60, (guint) whole % 60);

  return g_strdup_printf ("%" G_GUINT64_FORMAT "d%02uh%02um", whole / 86400,
                          (guint) (whole / 3600 % 24), (guint) (whole / 60 % 60));
}

/* The first unit that fits; the last one has no lower end. A figure never reads 1000
 * of a unit that is followed by one of a thousand. */
static const Scale *
choose_scale (double value, const Scale *scales)
{
  const Scale *scale = scales;

  while (scale->from > 0 && value < scale->from * 0.9995)
    scale++;

  return scale;
}

static int
count_decimals (double scaled)
{
  int n_decimals = scaled > 0 && scaled < SHORT_FIGURE ? 1 : 0;

  /* two digits that count of what is much less than the unit */
  for (double least = 0.995; scaled > 0 && scaled < least && n_decimals < MAX_DECIMALS;
       least /= 10)
    n_decimals++;

  return n_decimals;
}

static char *
format_scaled (double value, const Scale *scales)
{
  const Scale *scale = choose_scale (value, scales);
  const double scaled = value / scale->size;

  return g_strdup_printf (scaled > 0 && scaled < SHORT_FIGURE ? "%.1f%s" : "%.0f%s",
                          scaled, scale->name);
}

/* As energy: 0.5J, 12kJ; from a kilowatt-hour on 1.5kWh. */
static const Scale joule_scales[] = {
  { 3.6e9, 3.6e9, "MWh" },
  { 3.6e6, 3.6e6, "kWh" },
  { 1e3, 1e3, "kJ" },
  { 0, 1, "J" },
};

/* As power: 7.5W, 312W, 1.2kW. */
static const Scale watt_scales[] = {
  { 1e6, 1e6, "MW" },
  { 1e3, 1e3, "kW" },
  { 0, 1, "W" },
};

/* As mass: 0.2mg, 15mg, 1.5g, 12kg. */
static const Scale gram_scales[] = {
  { 1e6, 1e6, "t" },
  { 1e3, 1e3, "kg" },
  { 1, 1, "g" },
  { 0, 1e-3, "mg" },
};

static char *
format_grams (double grams)
{
  return grams > 0 ? format_scaled (grams, gram_scales) : g_strdup ("0g");
}

static char *
format_time (double seconds)
{
  g_autoptr (GDateTime) moment =
    g_date_time_new_from_unix_local ((gint64) MIN (seconds, MAX_SECONDS));

  /* GDateTime ends with the year 9999; what lies beyond is still worth a number. */
  if (moment == NULL)
    return g_strdup_printf ("%.0f", seconds);

  return g_date_time_format (moment, "%Y-%m-%d %H:%M:%S");
}

/* Without exponents, which few people read. */
static char *
format_ratio (double value)
{
  if (value > 0 && value < 1e-4)
    return g_strdup_printf ("%.4f", value);

  return g_strdup_printf (value < 100 ? "%.3g" : "%.0f", value);
}

/**
 * jm_format_to_string:
 * @format: what is measured
 * @value: how much, in the base unit
 *
 * Makes of a figure what people read: `107MiB`, `16.83s`, `2h13m07s`, `31J`, `7.5W`,
 * `1.2g`, `99.5%`, `0.25` of a ratio, `3.2GiBh`, and of a moment the local time. The
 * unit is one that fits, and of a figure below ten of it one decimal is kept, with the
 * locale's sign before it.
 *
 * Returns: (transfer full): the text
 * Since: 0.1
 */
char *
jm_format_to_string (JmFormat format, double value)
{
  switch (format)
    {
    case JM_FORMAT_BYTES:
      return format_bytes (value);
    case JM_FORMAT_DURATION:
      return format_duration (value);
    case JM_FORMAT_PERCENT:
      return g_strdup_printf ("%.1f%%", value);
    case JM_FORMAT_JOULES:
      return format_scaled (value, joule_scales);
    case JM_FORMAT_WATTS:
      return format_scaled (value, watt_scales);
    case JM_FORMAT_GRAMS:
      return format_grams (value);
    case JM_FORMAT_GRAMS_PER_JOULE:
      return g_strdup_printf ("%.1fg/kWh", value * JOULES_PER_KWH);
    case JM_FORMAT_TIME:
      return format_time (value);
    case JM_FORMAT_BYTE_SECONDS:
      return format_byte_seconds (value);
    case JM_FORMAT_RATIO:
      return format_ratio (value);
    case JM_FORMAT_TEXT:
    case JM_FORMAT_COUNT:
    default:
      return g_strdup_printf ("%.0f", value);
    }
}

/* Like jm_format_to_string(), but energy, power and mass are in the unit that fits
 * @greatest, so that all figures of a column have the same: `0.29kWh` above `1.4kWh`.
 */
char *
jm_format_to_string_beside (JmFormat format, double value, double greatest)
{
  const Scale *scales = format == JM_FORMAT_JOULES  ? joule_scales
                        : format == JM_FORMAT_WATTS ? watt_scales
                        : format == JM_FORMAT_GRAMS ? gram_scales
                                                    : NULL;
  const Scale *scale;

  if (scales == NULL || greatest <= value)
    return jm_format_to_string (format, value);

  scale = choose_scale (greatest, scales);
  if (value > 0 && value < LEAST * scale->size)
    return g_strconcat ("<" LEAST_TEXT, scale->name, NULL);

  return g_strdup_printf ("%.*f%s", count_decimals (value / scale->size),
                          value / scale->size, scale->name);
}

/* --- as people type it --- */

static const char *
describe_units (JmFormat format)
{
  switch (format)
    {
    case JM_FORMAT_BYTES:
      return "a number of bytes, or with K, M, G, T, KiB, MB and so on";
    case JM_FORMAT_DURATION:
      return "a number of seconds, or with s, m, h, d as in 1h30m";
    case JM_FORMAT_PERCENT:
      return "a number of per cent";
    case JM_FORMAT_JOULES:
      return "a number of joules, or with J, kJ, MJ, Wh, kWh, MWh";
    case JM_FORMAT_WATTS:
      return "a number of watts, or with mW, W, kW";
    case JM_FORMAT_GRAMS:
      return "a number of grams, or with mg, g, kg, t";
    case JM_FORMAT_GRAMS_PER_JOULE:
      return "a number of grams per joule, or with g/kWh";
    case JM_FORMAT_TIME:
      return "a number of seconds since 1970";
    case JM_FORMAT_BYTE_SECONDS:
      return "a number of bytes times seconds, or with MiBh, GiBh, TiBh";
    case JM_FORMAT_COUNT:
    case JM_FORMAT_RATIO:
    case JM_FORMAT_TEXT:
    default:
      return "a number, or with K, M, G, T";
    }
}

/* Digits with a point; neither a sign nor the hexadecimal, infinite and absent numbers
 * that C reads too. */
static gboolean
take_number (const char **text, double *value)
{
  char *end;
  gsize n = strspn (*text, "0123456789");

  if (n == 0 || (n == 1 && g_ascii_tolower ((*text)[1]) == 'x'))
    return FALSE;

  *value = g_ascii_strtod (*text, &end);
  *text = end;

  return isfinite (*value);
}

static const Unit *
take_unit (const char **text, JmFormat format)
{
  gsize length = strcspn (*text, "0123456789");

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (units[i].format == format && strlen (units[i].name) == length &&
        strncmp (units[i].name, *text, length) == 0)
      {
        *text += length;
        return &units[i];
      }

  return NULL;
}

/* Only lengths of time are written in several units: 1h30m. */
static gboolean
take_all (const char *text, JmFormat format, double *value)
{
  double part;
  const Unit *unit;

  if (!take_number (&text, value))
    return FALSE;

  if (*text == '\0')
    return TRUE;

  unit = take_unit (&text, format);
  if (unit == NULL)
    return FALSE;
  *value *= unit->factor;

  while (*text != '\0')
    {
      if (format != JM_FORMAT_DURATION || !take_number (&text, &part))
        return FALSE;
      unit = take_unit (&text, format);
      if (unit == NULL)
        return FALSE;
      *value += part * unit->factor;
    }

  return isfinite (*value);
}

/**
 * jm_format_parse:
 * @format: what is measured
 * @text: what somebody typed, such as `1.5GiB`, `1h30m`, `2kWh` or a bare number
 * @value: (out): how much, in the base unit
 * @error: return location for an error
 *
 * Reads a figure with its unit. A bare number is in the base unit; K, M and G of bytes
 * are of 1024, as Slurm has them. There are neither signs nor blanks.
 *
 * - Errors: %JM_ERROR_INVALID, quoting the text, and with the units that there are.
 *
 * Returns: (skip): whether the text is a figure of that format
 * Since: 0.1
 */
gboolean
jm_format_parse (JmFormat format, const char *text, double *value, GError **error)
{
  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  if (take_all (text, format, value))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "'%s' is not %s", text,
               describe_units (format));

  return FALSE;
}

/**
 * jm_number_to_string:
 * @value: a number
 *
 * Writes a number for programs: in no locale, with the fewest digits that read back as
 * the same number, as all text and JSON of this library has it.
 *
 * Returns: (transfer full): the text
 * Since: 0.1
 */
char *
jm_number_to_string (double value)
{
  GString *text = g_string_new (NULL);

  jm_number_append_double (text, value);

  return g_string_free (text, FALSE);
}
