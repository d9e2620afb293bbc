/* jm-power-domain.c: what of a node energy goes into
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-power-domain-private.h"

#include <string.h>

#define MAX_NUMBER 65535
#define DIE "-die-"

static const char *const names[JM_N_POWER_DOMAINS] = {
  [JM_POWER_DOMAIN_OTHER] = "other", [JM_POWER_DOMAIN_NODE] = "node",
  [JM_POWER_DOMAIN_PSYS] = "psys",   [JM_POWER_DOMAIN_PACKAGE] = "package",
  [JM_POWER_DOMAIN_CORE] = "core",   [JM_POWER_DOMAIN_UNCORE] = "uncore",
  [JM_POWER_DOMAIN_DRAM] = "dram",   [JM_POWER_DOMAIN_GPU] = "gpu",
};

/* Gets what the names of such domains begin with.
 *
 * Returns the name, such as `package`. */
const char *
jm_power_domain_get_name (JmPowerDomain domain)
{
  g_return_val_if_fail ((guint) domain < JM_N_POWER_DOMAINS, NULL);

  return names[domain];
}

/* Takes a number of digits off @text. */
static gboolean
take_number (const char **text, guint *number)
{
  guint value = 0;
  const char *p = *text;

  for (; g_ascii_isdigit (*p) && value <= MAX_NUMBER; p++)
    value = value * 10 + (guint) g_ascii_digit_value (*p);
  if (p == *text || value > MAX_NUMBER)
    return FALSE;

  *number = value;
  *text = p;

  return TRUE;
}

/* What comes after the name: nothing, `-N`, or `-N-die-N`. */
static gboolean
take_numbers (const char *text, guint *number, guint *die)
{
  *number = JM_POWER_DOMAIN_ALL;
  *die = JM_POWER_DOMAIN_ALL;
  if (*text == '\0')
    return TRUE;
  if (*text++ != '-' || !take_number (&text, number))
    return FALSE;
  if (*text == '\0')
    return TRUE;
  if (!g_str_has_prefix (text, DIE))
    return FALSE;

  text += strlen (DIE);

  return take_number (&text, die) && *text == '\0';
}

/* Finds what kind of domain a source reports.
 *
 * Returns the domain; JM_POWER_DOMAIN_OTHER for one that is not known. */
JmPowerDomain
jm_power_domain_from_name (const char *name, guint *number, guint *die)
{
  g_return_val_if_fail (name != NULL, JM_POWER_DOMAIN_OTHER);
  g_return_val_if_fail (number != NULL, JM_POWER_DOMAIN_OTHER);
  g_return_val_if_fail (die != NULL, JM_POWER_DOMAIN_OTHER);

  for (guint i = JM_POWER_DOMAIN_NODE; i < JM_N_POWER_DOMAINS; i++)
    if (g_str_has_prefix (name, names[i]) &&
        take_numbers (name + strlen (names[i]), number, die))
      return i;

  *number = JM_POWER_DOMAIN_ALL;
  *die = JM_POWER_DOMAIN_ALL;

  return JM_POWER_DOMAIN_OTHER;
}
