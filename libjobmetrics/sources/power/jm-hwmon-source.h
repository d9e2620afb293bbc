/* jm-hwmon-source.h: power and energy as sensors of the kernel tell it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jm-source.h"

G_BEGIN_DECLS

#define JM_TYPE_HWMON_SOURCE (jm_hwmon_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmHwmonSource, jm_hwmon_source, JM, HWMON_SOURCE, JmSource)

G_END_DECLS
