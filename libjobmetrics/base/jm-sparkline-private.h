/* jm-sparkline-private.h: a series as a line of small bars
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A bar for each of @values, from zero to the largest of them, or for several at once
 * where there are more than @width: of these the largest, so that no peak is lost. What
 * is not a number was not seen, and is a blank. */
char *jm_sparkline_make (const double *values,
                         gsize n_values,
                         guint width,
                         gboolean is_ascii);

G_END_DECLS
