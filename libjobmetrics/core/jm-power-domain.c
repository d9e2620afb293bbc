/* jm-power-domain.c: what of a node energy goes into
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-power-domain.h"

#include <string.h>

#define MAX_NUMBER 65535

static const char *const names[JM_N_POWER_DOMAINS] = {
  [JM_POWER_DOMAIN_OTHER] = "other", [JM_POWER_DOMAIN_NODE] = "node",
  [JM_POWER_DOMAIN_PSYS] = "psys",   [JM_POWER_DOMAIN_PACKAGE] = "package",
  [JM_POWER_DOMAIN_CORE] = "core",   [JM_POWER_DOMAIN_UNCORE] = "uncore",
  [JM_POWER_DOMAIN_DRAM] = "dram",   [JM_POWER_DOMAIN_GPU] = "gpu",
};

/**
 * jm_power_domain_get_name:
 * @domain: a domain
 *
 * Gets what the names of such domains begin with.
 *
 * Returns: the name, such as `package`
 * Since: 0.1
 */
const char *
jm_power_domain_get_name (JmPowerDomain domain)
{
  g_return_val_if_fail ((guint) domain < JM_N_POWER_DOMAINS, NULL);

  return names[domain];
}

/* The digits after the dash, up to the end or another dash. */
static gboolean
take_number (const char *text, guint *number)
{
  guint value = 0;
  const char *p = text;

  for (; g_ascii_isdigit (*p) && value <= MAX_NUMBER; p++)
    value = value * 10 + (guint) g_ascii_digit_value (*p);
  if (p == text || value > MAX_NUMBER || (*p != '\0' && *p != '-'))
    return FALSE;

  *number = value;

  return TRUE;
}

/**
 * jm_power_domain_from_name:
 * @name: a name as sources tell it, such as `package-1`
 * @number: (out): the number after it; 0 where there is none
 *
 * Finds what kind of domain a source tells of.
 *
 * Returns: the domain; %JM_POWER_DOMAIN_OTHER for one that is not known
 * Since: 0.1
 */
JmPowerDomain
jm_power_domain_from_name (const char *name, guint *number)
{
  g_return_val_if_fail (name != NULL, JM_POWER_DOMAIN_OTHER);
  g_return_val_if_fail (number != NULL, JM_POWER_DOMAIN_OTHER);

  *number = 0;
  for (guint i = JM_POWER_DOMAIN_NODE; i < JM_N_POWER_DOMAINS; i++)
    {
      gsize length = strlen (names[i]);

      if (strncmp (name, names[i], length) != 0)
        continue;
      if (name[length] == '\0')
        return i;
      if (name[length] == '-' && take_number (name + length + 1, number))
        return i;
    }

  return JM_POWER_DOMAIN_OTHER;
}
