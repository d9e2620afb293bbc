/* jm-specification.h: sources as administrators write them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"
#include "registry/jm-source-info.h"
#include "sources/emissions/jm-emission-provider.h"
#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
JmEmissionProvider *jm_specification_open_emission_provider (const char *specification,
                                                             JmHost *host,
                                                             GError **error);

JM_AVAILABLE_IN_ALL
JmPowerSource *jm_specification_open_power_source (const char *specification,
                                                   JmHost *host,
                                                   GError **error);

JM_AVAILABLE_IN_ALL
char **jm_specification_list_names (JmSourceKind kind);

G_END_DECLS
