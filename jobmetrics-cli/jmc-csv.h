/* jmc-csv.h: comma-separated values, as RFC 4180 has them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

void jmc_csv_append (GString *text, guint column, const char *cell);
void jmc_csv_end_line (GString *text);

G_END_DECLS
