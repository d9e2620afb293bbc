/* shown-report.h: reports of runs that a test makes up
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "judge/jm-run-report-private.h"

G_BEGIN_DECLS

#define SHOWN_REPORT_BEGIN_S G_GINT64_CONSTANT (1700000000)
#define SHOWN_REPORT_SECONDS 7200

/* A run on @n_nodes nodes of 16 CPUs, with @n_gpus accelerators on each, of which all
 * is known; the last node does little. */
JmRunReport *shown_report_new (guint n_nodes, guint n_gpus);

/* Gives one of its nodes another course. */
void shown_report_set_profile (JmRunReportNode *node, JmJobProfile *profile);

/* A run of which nothing is known but its id. */
JmRunReport *shown_report_new_bare (void);

/* One of whose names each has something in it that has a meaning to terminals, HTML,
 * JSON or people. */
JmRunReport *shown_report_new_hostile (void);

/* One piece of each level, of JmRunAdvice. */
GPtrArray *shown_report_advise (void);

/* The same with markup and escapes in it. */
GPtrArray *shown_report_advise_hostile (void);

G_END_DECLS
