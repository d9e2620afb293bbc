/* jm-power-bound.c: which powers cannot be
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-power-bound-private.h"

#include "core/jm-power-domain-private.h"

#define UW_PER_WATT G_GUINT64_CONSTANT (1000000)
#define UW_PER_MILLIWATT G_GUINT64_CONSTANT (1000)

/* Several times what the largest of 2026 are made for: processors of 600 W,
 * accelerators of 1,400 W, and nodes with eight of these. */
guint64
jm_power_get_bound_uw (JmPowerDomain domain)
{
  switch (domain)
    {
    case JM_POWER_DOMAIN_PACKAGE:
    case JM_POWER_DOMAIN_CORE:
    case JM_POWER_DOMAIN_UNCORE:
    case JM_POWER_DOMAIN_DRAM:
      return 3000 * UW_PER_WATT;
    case JM_POWER_DOMAIN_GPU:
      return 5000 * UW_PER_WATT;
    case JM_POWER_DOMAIN_OTHER:
    case JM_POWER_DOMAIN_NODE:
    case JM_POWER_DOMAIN_PSYS:
    default:
      return 30000 * UW_PER_WATT;
    }
}

/* Of the units that meters have; the others are beyond each bound. */
static gboolean
is_all_ones (guint64 power_uw)
{
  for (guint64 unit = UW_PER_MILLIWATT; unit <= UW_PER_WATT; unit *= 10)
    if (power_uw == G_MAXUINT16 * unit)
      return TRUE;

  return power_uw == G_MAXUINT32 || power_uw == G_MAXINT32;
}

gboolean
jm_power_is_possible (const char *domain, guint64 power_uw)
{
  guint number, die;
  JmPowerDomain kind = jm_power_domain_from_name (domain, &number, &die);

  return power_uw <= jm_power_get_bound_uw (kind) && !is_all_ones (power_uw);
}
