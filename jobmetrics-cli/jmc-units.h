/* jmc-units.h: figures as people read them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *jmc_units_format_bytes (double bytes);
char *jmc_units_format_duration (double seconds);
char *jmc_units_format_count (double count);
char *jmc_units_format_percent (double percent);
char *jmc_units_format_joules (double joules);
char *jmc_units_format_watts (double watts);
char *jmc_units_format_grams (double grams);
char *jmc_units_format_time (gint64 seconds);

G_END_DECLS
