/* jmc-pairs.h: names and what they stand for, in a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-text-table-private.h"
#include "core/jm-figure.h"
#include "report/jm-table.h"

G_BEGIN_DECLS

JmTextTable *jmc_pairs_new (void);
void jmc_pairs_add (JmTextTable *table, const char *title, const char *text);
void jmc_pairs_take (JmTextTable *table, const char *title, char *text);

char *jmc_pairs_format_moment (JmFigure moment);

/* The first cell of @figure, unless it is not known. */
void jmc_pairs_add_figure (JmTextTable *table, const char *title, JmTable *figure);

G_END_DECLS
