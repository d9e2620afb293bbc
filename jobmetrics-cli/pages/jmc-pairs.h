/* jmc-pairs.h: names and what they stand for, in a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-table.h"

G_BEGIN_DECLS

JmcTable *jmc_pairs_new (void);
void jmc_pairs_add (JmcTable *table, const char *title, const char *text);
void jmc_pairs_take (JmcTable *table, const char *title, char *text);
char *jmc_pairs_format_moment (JmFigure moment);

G_END_DECLS
