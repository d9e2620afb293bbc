/* jmc-text.h: how much room text takes on a terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint jmc_text_get_width (const char *text);
void jmc_text_cut (GString *line, guint width);

G_END_DECLS
