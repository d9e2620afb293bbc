/* jmc-hook-exchange.h: tells the exporter that a job begins or ends
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Tells the exporter at @socket of a job and waits until it has read it, but no longer
 * than until @until_us by the monotonic clock. @event is `prolog` or `epilog`.
 *
 * - Errors: #GFileError, with the socket and what is amiss. */
gboolean jmc_hook_exchange (const char *socket,
                            const char *event,
                            const char *scheduler,
                            const char *job,
                            gint64 until_us,
                            GError **error);

G_END_DECLS
