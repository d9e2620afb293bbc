/* jm-cray-pm-source.h: energy as Cray's nodes count it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jm-source.h"

G_BEGIN_DECLS

#define JM_TYPE_CRAY_PM_SOURCE (jm_cray_pm_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmCrayPmSource, jm_cray_pm_source, JM, CRAY_PM_SOURCE, JmSource)

G_END_DECLS
