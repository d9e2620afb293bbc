/* jmc-mail-log.h: what nobody at a terminal reads
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One message on the standard error and in the system's log: schedulers throw away what
 * their mail programs say. */
void jmc_mail_log_complain (const char *format, ...) G_GNUC_PRINTF (1, 2);

G_END_DECLS
