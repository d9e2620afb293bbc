/* jm-ipmi-source.h: a node's power, from its BMC through the kernel
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-dcmi-source.h"

G_BEGIN_DECLS

#define JM_TYPE_IPMI_SOURCE (jm_ipmi_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmIpmiSource, jm_ipmi_source, JM, IPMI_SOURCE, JmDcmiSource)

G_END_DECLS
