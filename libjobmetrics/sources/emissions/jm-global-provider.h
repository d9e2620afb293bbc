/* jm-global-provider.h: what the world's electricity emits
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/emissions/jm-emission-provider.h"

G_BEGIN_DECLS

#define JM_TYPE_GLOBAL_PROVIDER (jm_global_provider_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmGlobalProvider,
                      jm_global_provider,
                      JM,
                      GLOBAL_PROVIDER,
                      JmSource)

G_END_DECLS
