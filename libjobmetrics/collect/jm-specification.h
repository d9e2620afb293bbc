/* jm-specification.h: sources as administrators write them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"
#include "sources/emissions/jm-emission-provider.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
JmEmissionProvider *jm_specification_open_emission_provider (const char *specification,
                                                             JmHost *host,
                                                             GError **error);

G_END_DECLS
