/* jm-moment-private.h: a moment as people type it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What messages and manuals name as examples. */
#define JM_MOMENT_EXAMPLES "2026-11-22, '2026-11-22 10:00', 10:00, yesterday or -2h"

/* Reads a moment, microseconds since 1970. What has no zone is in that of @now, which
 * what is relative counts from:
 *
 * - `2026-11-22`, `2026-11-22 10:00`, `2026-11-22T10:00:30Z`: a date is its first
 * moment
 * - `10:00`, `10:00:30`: today
 * - `now`, `today`, `yesterday`: the latter two at midnight
 * - `this week`, `last week`, `this month`, `last month`: their first moment, a week's
 * on Monday
 * - `-1h30m`, `now-2days`, `2 hours ago`: before @now
 * - `@1795341600`: seconds since 1970
 *
 * - Errors: INVALID, quoting the text. */
gboolean
jm_moment_parse (const char *text, GDateTime *now, gint64 *time_us, GError **error);

/* A day of a file, which begins at midnight UTC, or a moment with its time zone. */
gboolean jm_moment_take_day (gint64 *seconds, const char *value, GError **error);

G_END_DECLS
