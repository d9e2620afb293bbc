/* jm-cray-pm.c: names and texts of Cray's power counters
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-cray-pm-private.h"

#include <string.h>

#include "host/jm-parse-private.h"

#define UJ_PER_JOULE G_GUINT64_CONSTANT (1000000)
#define MAX_NUMBER 65535

static const struct
{
  const char *prefix;
  JmPowerDomain domain;
} parts[] = {
  { "cpu", JM_POWER_DOMAIN_PACKAGE },
  { "memory", JM_POWER_DOMAIN_DRAM },
  { "accel", JM_POWER_DOMAIN_GPU },
};

static gboolean
parse_number (const char *text, gsize length, JmCrayPmName *parsed)
{
  guint64 number = 0;

  parsed->has_number = length > 0;
  if (parsed->has_number &&
      (!jm_parse_uint64 (text, length, &number) || number > MAX_NUMBER))
    return FALSE;

  parsed->number = (guint) number;

  return TRUE;
}

gboolean
jm_cray_pm_parse_name (const char *name, JmCrayPmName *parsed)
{
  const char *suffix = g_strrstr (name, "_energy");

  *parsed = (JmCrayPmName){ JM_POWER_DOMAIN_NODE };
  if (g_str_equal (name, "energy"))
    return TRUE;
  if (suffix == NULL || !g_str_equal (suffix, "_energy"))
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (g_str_has_prefix (name, parts[i].prefix))
      {
        const char *number = name + strlen (parts[i].prefix);

        parsed->domain = parts[i].domain;
        return number <= suffix &&
               parse_number (number, (gsize) (suffix - number), parsed);
      }

  return FALSE;
}

gboolean
jm_cray_pm_parse_energy (const char *text, gsize length, guint64 *energy_uj)
{
  const char *cursor = text;
  guint64 joules;
  JmSlice unit;

  if (!jm_parse_next_uint64 (&cursor, text + length, &joules) ||
      !jm_parse_next_word (&cursor, text + length, &unit) ||
      !jm_slice_equal (unit, "J") || joules > G_MAXUINT64 / UJ_PER_JOULE)
    return FALSE;

  *energy_uj = joules * UJ_PER_JOULE;

  return TRUE;
}
