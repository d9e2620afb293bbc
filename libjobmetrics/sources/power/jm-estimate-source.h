/* jm-estimate-source.h: energy by a model, where there is no meter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jm-source.h"

G_BEGIN_DECLS

#define JM_TYPE_ESTIMATE_SOURCE (jm_estimate_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmEstimateSource,
                      jm_estimate_source,
                      JM,
                      ESTIMATE_SOURCE,
                      JmSource)

G_END_DECLS
