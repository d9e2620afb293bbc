/* jme-worst-runs.h: runs that left most unused, for who lands on the pages
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-answer.h"

G_BEGIN_DECLS

/* The runs of the last 7 days that left most unused, a table for each kind of waste,
 * and links to the whole lists. Nothing of a kind that no run has.
 *
 * - Errors: those of the store. */
gboolean jme_worst_runs_append (JmeAnswer *answer, GError **error);

G_END_DECLS
