/* jm-rte-provider.h: what electricity emits in France, as RTE says
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/emissions/jm-online-provider.h"

G_BEGIN_DECLS

#define JM_TYPE_RTE_PROVIDER (jm_rte_provider_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmRteProvider,
                      jm_rte_provider,
                      JM,
                      RTE_PROVIDER,
                      JmOnlineProvider)

G_END_DECLS
