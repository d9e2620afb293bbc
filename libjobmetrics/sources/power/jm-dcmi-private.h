/* jm-dcmi-private.h: what a BMC says of a node's power
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Get Power Reading, 6.6.1 of the Data Center Manageability Interface
 * Specification 1.5.
 */
#define JM_DCMI_NETFN 0x2c
#define JM_DCMI_GET_POWER_READING 0x02
#define JM_DCMI_GROUP 0xdc
#define JM_DCMI_SYSTEM_POWER 0x01

/* The watts of an answer to Get Power Reading, whose first byte is the completion code.
 * @what is who answered, for messages. */
gboolean jm_dcmi_parse_power (const guint8 *bytes,
                              gsize length,
                              const char *what,
                              guint *watts,
                              GError **error);

/* The watts of what ipmi-dcmi, ipmitool or ipmiutil printed of such an answer. */
gboolean jm_dcmi_parse_text (const char *text,
                             gsize length,
                             const char *what,
                             guint *watts,
                             GError **error);

/* Whether these are the watts of a node: some BMCs answer 0 or the largest number when
 * they have measured nothing. */
gboolean jm_dcmi_check_watts (guint64 watts, const char *what, GError **error);

G_END_DECLS
