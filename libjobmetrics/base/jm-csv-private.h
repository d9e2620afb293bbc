/* jm-csv-private.h: comma-separated values, as RFC 4180 has them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

void jm_csv_append (GString *text, guint column, const char *cell);
void jm_csv_end_line (GString *text);

G_END_DECLS
