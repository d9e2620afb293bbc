/* jmc-reportseff.h: a list of runs with the columns of reportseff
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "store/jm-stored-run.h"

G_BEGIN_DECLS

/* The columns JobID, State, Elapsed, TimeEff, CPUEff and MemEff of @runs, of
 * JmStoredRun; `---` stands for what is not known. With @color shares have the colours
 * that reportseff gives them: see https://github.com/troycomi/reportseff */
char *jmc_reportseff_format (GPtrArray *runs, gboolean is_bare, gboolean color);

G_END_DECLS
