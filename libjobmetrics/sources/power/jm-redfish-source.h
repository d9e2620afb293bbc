/* jm-redfish-source.h: a node's power, from its BMC through the network
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-polled-source.h"

G_BEGIN_DECLS

#define JM_TYPE_REDFISH_SOURCE (jm_redfish_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmRedfishSource,
                      jm_redfish_source,
                      JM,
                      REDFISH_SOURCE,
                      JmPolledSource)

G_END_DECLS
