/* jm-cray-pm.c: names and texts of Cray's power counters
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-power-files-private.h"

#include <string.h>

#include "base/jm-parse-private.h"

#define MICRO G_GUINT64_CONSTANT (1000000)
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

static const struct
{
  const char *name; /* of the node's own file; behind an underscore that of a part's */
  const char *unit;
} kinds[] = {
  [JM_CRAY_PM_ENERGY] = { "energy", "J" },
  [JM_CRAY_PM_POWER] = { "power", "W" },
  [JM_CRAY_PM_CAP] = { "power_cap", "W" },
};

/* The name of a part such as `cpu0`; FALSE for a file of no known kind. */
static gboolean
split_name (const char *name, JmCrayPmKind *kind, gsize *length)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gsize all = strlen (name);
      gsize suffix = strlen (kinds[i].name);

      if (!g_str_has_suffix (name, kinds[i].name) ||
          (all > suffix && name[all - suffix - 1] != '_'))
        continue;

      *kind = i;
      *length = all > suffix ? all - suffix - 1 : 0;
      return all == suffix || *length > 0;
    }

  return FALSE;
}

gboolean
jm_cray_pm_parse_name (const char *name, JmCrayPmName *parsed)
{
  gsize length;

  *parsed = (JmCrayPmName){ .domain = JM_POWER_DOMAIN_NODE };
  if (!split_name (name, &parsed->kind, &length))
    return FALSE;
  if (length == 0)
    return TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      gsize prefix = strlen (parts[i].prefix);

      if (length < prefix || strncmp (name, parts[i].prefix, prefix) != 0)
        continue;

      parsed->domain = parts[i].domain;
      return parse_number (name + prefix, length - prefix, parsed);
    }

  return FALSE;
}

gboolean
jm_cray_pm_parse_value (const char *text,
                        gsize length,
                        JmCrayPmKind kind,
                        guint64 *micro)
{
  const char *cursor = text;
  guint64 whole;
  JmSlice unit;

  if (!jm_parse_next_uint64 (&cursor, text + length, &whole) ||
      !jm_parse_next_word (&cursor, text + length, &unit) ||
      !jm_slice_equal (unit, kinds[kind].unit) || whole > G_MAXUINT64 / MICRO)
    return FALSE;

  *micro = whole * MICRO;

  return TRUE;
}
