/* jm-plot-text-private.h: names as a plot shows them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-format.h"

G_BEGIN_DECLS

#define JM_PLOT_MAX_NAME 64

/* Of any bytes, or of NULL: text that XML can hold and that steers nothing, cut where
 * it is long. */
char *jm_plot_text_make (const char *text);

/* The first @n_characters and an ellipsis, or all where there are no more. */
char *jm_plot_text_cut (const char *text, gsize n_characters);

/* As jm_format_to_string() has it, but of a few things also their parts: 1.5 of them.
 */
char *jm_plot_text_format (JmFormat format, double value);

G_END_DECLS
