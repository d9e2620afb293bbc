/* jme-ceems-time.h: times and lengths as schedulers write them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Seconds since 1970 as in @format of g_date_time_format(), transfer full; `Unknown` for 0.
 */
char *jme_ceems_format_time (gint64 seconds, GTimeZone *zone, const char *format);

/* Such as `2-00:10:20`, transfer full. */
char *jme_ceems_format_length (gint64 seconds);

G_END_DECLS
