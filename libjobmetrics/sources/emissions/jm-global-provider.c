/* jm-global-provider.c: what the world's electricity emits
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/emissions/jm-emission-types-private.h"

/* World, 2024: Ember (2025) and Energy Institute (2025), with major processing by Our
 * World in Data, https://ourworldindata.org/grapher/carbon-intensity-electricity */
#define GRAMS_PER_KWH 473.01
#define BEGIN_US ((gint64) 1704067200 * G_USEC_PER_SEC) /* 2024-01-01 */
#define END_US ((gint64) 1735689600 * G_USEC_PER_SEC)   /* 2025-01-01 */

/* What a kilowatt-hour emits over the life cycle, as an average over the world and the
 * year 2024: a last resort where nothing is known of the grid. */
struct _JmGlobalProvider
{
  JmSource parent_instance;
};

static void emission_provider_iface_init (JmEmissionProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmGlobalProvider,
                               jm_global_provider,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_EMISSION_PROVIDER,
                                                      emission_provider_iface_init))

static JmEmissionFactor *
jm_global_provider_fetch (JmEmissionProvider *provider,
                          GCancellable *cancellable,
                          GError **error)
{
  return jm_emission_factor_new ("global", "world", GRAMS_PER_KWH,
                                 JM_EMISSION_METHOD_AVERAGE,
                                 JM_EMISSION_SCOPE_LIFECYCLE,
                                 JM_EMISSION_QUALITY_STATISTIC, BEGIN_US, END_US);
}

static guint
jm_global_provider_get_interval (JmEmissionProvider *provider)
{
  return 0;
}

static void
emission_provider_iface_init (JmEmissionProviderInterface *iface)
{
  iface->fetch = jm_global_provider_fetch;
  iface->get_interval = jm_global_provider_get_interval;
}

static void
jm_global_provider_class_init (JmGlobalProviderClass *klass)
{
}

static void
jm_global_provider_init (JmGlobalProvider *self)
{
}
