/* jm-run-column-private.h: a column of a list of runs, as people and programs read it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-derived-private.h"

G_BEGIN_DECLS

/* Each is NULL where it is not known. */
char *jm_run_column_format (const JmRunColumn *self, JmRun *run);
char *jm_run_column_to_string (const JmRunColumn *self, JmRun *run);

G_END_DECLS
