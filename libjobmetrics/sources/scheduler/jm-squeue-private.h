/* jm-squeue-private.h: the jobs that squeue lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler-report-private.h"

G_BEGIN_DECLS

/* What squeue is asked for with --Format: fields that 20.11 and all later releases
 * have, each with a separator behind that stands in no name. Nothing is cut, whatever
 * its length. */
char *jm_squeue_make_format (void);

guint jm_squeue_get_n_columns (void);

/* One row of that, without its end. @report counts what cannot be read. FALSE: the row
 * is left out. */
gboolean
jm_squeue_parse_line (const char *line, gsize length, JmSchedulerReport *report);

G_END_DECLS
