/* bench-runs.h: a site's runs that a bench makes up
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-run.h"

G_BEGIN_DECLS

/* user000, user001...; ten of them share an account. */
#define BENCH_N_USERS 500

/* One of many that were submitted one after the other: its id is 1000000 + number. */
JmRun *bench_run_make (guint number, gint64 start);

G_END_DECLS
