/* jmc-report-query.h: which run a report is about, and where it is found
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"
#include "judge/jm-run-report.h"

G_BEGIN_DECLS

/* Which run: the newest of a job id, the one of a uuid, or without both the newest of
 * the calling user.
 *
 * JmcReportQuery:
 * @job, @uuid: NULL where it is not named so
 * @cluster: NULL for any
 * @name, @user, @since: a pattern of names, whose jobs and since when (seconds since
 *   1970), for a summary of several jobs; else NULL
 * @at: seconds since 1970: the run that was running then; 0 for the newest run
 * @socket: where the node's exporter listens, or NULL for the usual place
 * @ledger_file: a ledger's file, or NULL */
typedef struct
{
  const char *job;
  const char *uuid;
  const char *cluster;
  const char *name;
  const char *user;
  gint64 since;
  gint64 at;
  const char *socket;
  const char *ledger_file;
} JmcReportQuery;

/* The run, out of the first of these that has it: the archive of the site, the ledger
 * of this node, this node itself. Where a place is named, that one alone is asked. NULL
 * where none has it, which was reported. @link, which may be NULL, is set to the
 * address of the run's page where there is one. */
JmRunReport *jmc_report_query_find (const JmcOptions *options,
                                    const JmcReportQuery *query,
                                    char **link);

G_END_DECLS
