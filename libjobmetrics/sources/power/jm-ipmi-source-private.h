/* jm-ipmi-source-private.h: a BMC of a test's own
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-dcmi-private.h"
#include "sources/power/jm-ipmi-device-private.h"

G_BEGIN_DECLS

#define JM_TYPE_IPMI_SOURCE (jm_ipmi_source_get_type ())

G_DECLARE_FINAL_TYPE (JmIpmiSource, jm_ipmi_source, JM, IPMI_SOURCE, JmDcmiSource)

/* @calls must outlive the source. */
JmIpmiSource *jm_ipmi_source_new_with_calls (JmHost *host,
                                             double interval_s,
                                             double timeout_s,
                                             const JmIpmiCalls *calls,
                                             GError **error);

G_END_DECLS
