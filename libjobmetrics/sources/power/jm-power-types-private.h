/* jm-power-types-private.h: the power sources that are opened by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jm-source.h"
#include "sources/power/jm-dcmi-private.h"
#include "sources/power/jm-meter-source-private.h"
#include "sources/power/jm-polled-source-private.h"

G_BEGIN_DECLS

#define JM_TYPE_COMMAND_SOURCE (jm_command_source_get_type ())

G_DECLARE_FINAL_TYPE (JmCommandSource,
                      jm_command_source,
                      JM,
                      COMMAND_SOURCE,
                      JmMeterSource)

#define JM_TYPE_CRAY_PM_SOURCE (jm_cray_pm_source_get_type ())

G_DECLARE_FINAL_TYPE (JmCrayPmSource, jm_cray_pm_source, JM, CRAY_PM_SOURCE, JmSource)

#define JM_TYPE_ESTIMATE_SOURCE (jm_estimate_source_get_type ())

G_DECLARE_FINAL_TYPE (JmEstimateSource,
                      jm_estimate_source,
                      JM,
                      ESTIMATE_SOURCE,
                      JmSource)

#define JM_TYPE_FILE_SOURCE (jm_file_source_get_type ())

G_DECLARE_FINAL_TYPE (JmFileSource, jm_file_source, JM, FILE_SOURCE, JmMeterSource)

#define JM_TYPE_HWMON_SOURCE (jm_hwmon_source_get_type ())

G_DECLARE_FINAL_TYPE (JmHwmonSource, jm_hwmon_source, JM, HWMON_SOURCE, JmSource)

#define JM_TYPE_IPMI_COMMAND_SOURCE (jm_ipmi_command_source_get_type ())

G_DECLARE_FINAL_TYPE (JmIpmiCommandSource,
                      jm_ipmi_command_source,
                      JM,
                      IPMI_COMMAND_SOURCE,
                      JmDcmiSource)

#define JM_TYPE_REDFISH_SOURCE (jm_redfish_source_get_type ())

G_DECLARE_FINAL_TYPE (JmRedfishSource,
                      jm_redfish_source,
                      JM,
                      REDFISH_SOURCE,
                      JmPolledSource)

G_END_DECLS
