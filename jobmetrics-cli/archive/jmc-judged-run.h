/* jmc-judged-run.h: a run of a list, with its verdict
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-archive.h"
#include "core/jm-figure.h"
#include "judge/jm-price-list.h"
#include "judge/jm-run-rules.h"
#include "judge/jm-run-verdict.h"

G_BEGIN_DECLS

/* JmcJudgedRun:
 * @report: NULL where nobody asks for it, or its records cannot be read
 * @verdict: NULL where there is no report */
typedef struct
{
  JmRun *run;
  JmRunReport *report;
  JmRunVerdict *verdict;
} JmcJudgedRun;

/* Without a report. */
JmcJudgedRun *jmc_judged_run_new (JmRun *run);

/* Whether a figure rests on other runs of the same job. */
gboolean jmc_judged_run_is_of_siblings (const JmQuantity *quantity);

/* Reads the report of a run, which takes its nodes' records, and judges it.
 * @has_siblings: whether it is compared with other runs of its job, which are read, too
 * @prices: what runs cost, or NULL */
gboolean jmc_judged_run_judge (JmcJudgedRun *self,
                               JmArchive *archive,
                               JmRunRules *rules,
                               gboolean has_siblings,
                               JmPriceList *prices,
                               GError **error);
void jmc_judged_run_free (JmcJudgedRun *self);

/* What follows from others is that of the report, so that it agrees with the verdict;
 * what is kept is that of the archive. */
JmFigure jmc_judged_run_get (const JmcJudgedRun *self, const JmQuantity *quantity);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcJudgedRun, jmc_judged_run_free)

G_END_DECLS
