/* jm-run-hint-private.h: what follows from the figures of a run, and what to ask for
 * instead
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "judge/jm-run-report.h"

G_BEGIN_DECLS

/* What is asked for is so much more than what was used. */
#define JM_RUN_HINT_MEMORY_MARGIN 1.2
#define JM_RUN_HINT_TIME_MARGIN 1.25
/* A job that reached its limit may try so much more than it had. */
#define JM_RUN_HINT_MORE 1.5

/* As options of the scheduler take it, rounded up to MiB and minutes; NULL of what is
 * too much for one. */
char *jm_run_hint_format_memory (double bytes);
char *jm_run_hint_format_time (double seconds);

/* Numbers of a table; what is reckoned with what is not known is absent. */
gboolean jm_run_hint_from_name (const char *name, guint *hint);
const char *jm_run_hint_get_name (guint hint);
JmFormat jm_run_hint_get_format (guint hint);
JmFigure jm_run_hint_get_figure (JmRunReport *report, guint hint);

/* As an option of the scheduler takes it, such as `12G` or `02:15:00`; NULL of what is
 * no option's, or not known. */
char *jm_run_hint_format (JmRunReport *report, guint hint);

G_END_DECLS
