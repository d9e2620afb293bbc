/* jm-run-completeness-private.h: how many runs have the records of all their nodes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sql/jm-sql-private.h"

G_BEGIN_DECLS

/* The runs of a cluster that ended within a day, by its accounting. */
typedef struct
{
  char *cluster;
  gint64 days_ago;   /* 0 for the day before the time that was asked for */
  gint64 n_ended;    /* that had begun */
  gint64 n_complete; /* of these, with records of the end on all their nodes */
} JmRunCompleteness;

/* For the @n_days before @until, seconds since 1970; a day without runs is left out.
 *
 * - Shape: in the order of clusters, and of @days_ago.
 *
 * Returns: (transfer full): of JmRunCompleteness */
GArray *
jm_run_completeness_list (JmSql *sql, gint64 until, guint n_days, GError **error);

G_END_DECLS
