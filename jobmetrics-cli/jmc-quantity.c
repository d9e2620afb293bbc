/* jmc-quantity.c: figures as people type them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-quantity.h"

#include <math.h>
#include <string.h>

#include "core/jm-error.h"

#define KIB 1024.0
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define TIB (1024 * GIB)
#define PIB (1024 * TIB)

typedef struct
{
  JmcFieldKind kind;
  const char *name;
  double factor;
} Unit;

/* A bare K, M or G of memory is Slurm's, of 1024; of things it is a thousand. */
static const Unit units[] = {
  { JMC_FIELD_BYTES, "B", 1 },        { JMC_FIELD_BYTES, "K", KIB },
  { JMC_FIELD_BYTES, "M", MIB },      { JMC_FIELD_BYTES, "G", GIB },
  { JMC_FIELD_BYTES, "T", TIB },      { JMC_FIELD_BYTES, "P", PIB },
  { JMC_FIELD_BYTES, "KiB", KIB },    { JMC_FIELD_BYTES, "MiB", MIB },
  { JMC_FIELD_BYTES, "GiB", GIB },    { JMC_FIELD_BYTES, "TiB", TIB },
  { JMC_FIELD_BYTES, "PiB", PIB },    { JMC_FIELD_BYTES, "kB", 1e3 },
  { JMC_FIELD_BYTES, "KB", 1e3 },     { JMC_FIELD_BYTES, "MB", 1e6 },
  { JMC_FIELD_BYTES, "GB", 1e9 },     { JMC_FIELD_BYTES, "TB", 1e12 },
  { JMC_FIELD_BYTES, "PB", 1e15 },    { JMC_FIELD_COUNT, "K", 1e3 },
  { JMC_FIELD_COUNT, "M", 1e6 },      { JMC_FIELD_COUNT, "G", 1e9 },
  { JMC_FIELD_COUNT, "T", 1e12 },     { JMC_FIELD_SECONDS, "ms", 1e-3 },
  { JMC_FIELD_SECONDS, "s", 1 },      { JMC_FIELD_SECONDS, "m", 60 },
  { JMC_FIELD_SECONDS, "min", 60 },   { JMC_FIELD_SECONDS, "h", 3600 },
  { JMC_FIELD_SECONDS, "d", 86400 },  { JMC_FIELD_PERCENT, "%", 1 },
  { JMC_FIELD_JOULES, "J", 1 },       { JMC_FIELD_JOULES, "kJ", 1e3 },
  { JMC_FIELD_JOULES, "MJ", 1e6 },    { JMC_FIELD_JOULES, "Wh", 3600 },
  { JMC_FIELD_JOULES, "kWh", 3.6e6 }, { JMC_FIELD_JOULES, "MWh", 3.6e9 },
  { JMC_FIELD_WATTS, "mW", 1e-3 },    { JMC_FIELD_WATTS, "W", 1 },
  { JMC_FIELD_WATTS, "kW", 1e3 },     { JMC_FIELD_GRAMS, "mg", 1e-3 },
  { JMC_FIELD_GRAMS, "g", 1 },        { JMC_FIELD_GRAMS, "kg", 1e3 },
  { JMC_FIELD_GRAMS, "t", 1e6 },
};

static const char *
describe_units (JmcFieldKind kind)
{
  switch (kind)
    {
    case JMC_FIELD_BYTES:
      return "a number of bytes, or with K, M, G, T, KiB, MB and so on";
    case JMC_FIELD_SECONDS:
      return "a number of seconds, or with s, m, h, d as in 1h30m";
    case JMC_FIELD_PERCENT:
      return "a number of per cent";
    case JMC_FIELD_JOULES:
      return "a number of joules, or with J, kJ, MJ, Wh, kWh, MWh";
    case JMC_FIELD_WATTS:
      return "a number of watts, or with mW, W, kW";
    case JMC_FIELD_GRAMS:
      return "a number of grams, or with mg, g, kg, t";
    case JMC_FIELD_MOMENT:
      return "a number of seconds since 1970";
    case JMC_FIELD_COUNT:
    case JMC_FIELD_TEXT:
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
take_unit (const char **text, JmcFieldKind kind)
{
  gsize length = strcspn (*text, "0123456789");

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (units[i].kind == kind && strlen (units[i].name) == length &&
        strncmp (units[i].name, *text, length) == 0)
      {
        *text += length;
        return &units[i];
      }

  return NULL;
}

/* Only lengths of time are written in several units: 1h30m. */
static gboolean
take_all (const char *text, JmcFieldKind kind, double *value)
{
  double part;
  const Unit *unit;

  if (!take_number (&text, value))
    return FALSE;

  if (*text == '\0')
    return TRUE;

  unit = take_unit (&text, kind);
  if (unit == NULL)
    return FALSE;
  *value *= unit->factor;

  while (*text != '\0')
    {
      if (kind != JMC_FIELD_SECONDS || !take_number (&text, &part))
        return FALSE;
      unit = take_unit (&text, kind);
      if (unit == NULL)
        return FALSE;
      *value += part * unit->factor;
    }

  return isfinite (*value);
}

gboolean
jmc_quantity_parse (const char *text, JmcFieldKind kind, double *value, GError **error)
{
  if (take_all (text, kind, value))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "'%s' is not %s", text,
               describe_units (kind));

  return FALSE;
}
