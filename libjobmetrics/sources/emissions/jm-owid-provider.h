/* jm-owid-provider.h: what electricity emits in a country in a year
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/emissions/jm-emission-provider.h"

G_BEGIN_DECLS

#define JM_TYPE_OWID_PROVIDER (jm_owid_provider_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmOwidProvider, jm_owid_provider, JM, OWID_PROVIDER, JmSource)

G_END_DECLS
