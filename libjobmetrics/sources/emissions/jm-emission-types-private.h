/* jm-emission-types-private.h: the emission providers that are opened by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-source.h"
#include "sources/emissions/jm-online-provider-private.h"

G_BEGIN_DECLS

#define JM_TYPE_ELECTRICITY_MAPS_PROVIDER (jm_electricity_maps_provider_get_type ())

G_DECLARE_FINAL_TYPE (JmElectricityMapsProvider,
                      jm_electricity_maps_provider,
                      JM,
                      ELECTRICITY_MAPS_PROVIDER,
                      JmOnlineProvider)

#define JM_TYPE_FIXED_PROVIDER (jm_fixed_provider_get_type ())

G_DECLARE_FINAL_TYPE (JmFixedProvider, jm_fixed_provider, JM, FIXED_PROVIDER, JmSource)

#define JM_TYPE_GLOBAL_PROVIDER (jm_global_provider_get_type ())

G_DECLARE_FINAL_TYPE (JmGlobalProvider,
                      jm_global_provider,
                      JM,
                      GLOBAL_PROVIDER,
                      JmSource)

#define JM_TYPE_OWID_PROVIDER (jm_owid_provider_get_type ())

G_DECLARE_FINAL_TYPE (JmOwidProvider, jm_owid_provider, JM, OWID_PROVIDER, JmSource)

#define JM_TYPE_RTE_PROVIDER (jm_rte_provider_get_type ())

G_DECLARE_FINAL_TYPE (JmRteProvider,
                      jm_rte_provider,
                      JM,
                      RTE_PROVIDER,
                      JmOnlineProvider)

#define JM_TYPE_UK_CARBON_INTENSITY_PROVIDER                                           \
 (jm_uk_carbon_intensity_provider_get_type ())

G_DECLARE_FINAL_TYPE (JmUkCarbonIntensityProvider,
                      jm_uk_carbon_intensity_provider,
                      JM,
                      UK_CARBON_INTENSITY_PROVIDER,
                      JmOnlineProvider)

#define JM_TYPE_WATT_TIME_PROVIDER (jm_watt_time_provider_get_type ())

G_DECLARE_FINAL_TYPE (JmWattTimeProvider,
                      jm_watt_time_provider,
                      JM,
                      WATT_TIME_PROVIDER,
                      JmOnlineProvider)

G_END_DECLS
