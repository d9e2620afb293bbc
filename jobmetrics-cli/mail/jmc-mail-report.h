/* jmc-mail-report.h: the report of a run, for a mail
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "accounts/jmc-accounts-source.h"
#include "jmc-options.h"

G_BEGIN_DECLS

/* JmcMailRun:
 * @job: its id, as its user sees it or as its scheduler writes it
 * @cluster, @user: NULL where they are not known
 * @start_time: seconds since 1970; 0 where it is not known
 * @wants_pdf: whether the report is wanted on paper, too
 * @wants_whole: whether it is too early without how it ended, by its scheduler, and what
 *   its nodes have measured
 *
 * Which run is meant: the newest of the job, where its start is not known. */
typedef struct
{
  const char *job;
  const char *cluster;
  const char *user;
  gint64 start_time;
  gboolean wants_pdf;
  gboolean wants_whole;
} JmcMailRun;

/* JmcMailReport:
 * @verdict: on the run, in a few words; NULL where the rules could not be read
 * @html: NULL where there is none
 * @pictures: of GBytes as PNG, which @html has by JM_REPORT_PICTURE_ID; NULL for none
 * @pdf: NULL where there is none */
typedef struct
{
  char *verdict;
  char *text;
  char *html;
  GPtrArray *pictures;
  GBytes *pdf;
} JmcMailReport;

/* Makes the report of a run that has ended. Errors: `ABSENT` and `UNAVAILABLE` where
 * asking again may help, since accounting comes late; others where it cannot. */
gboolean jmc_mail_report_make (const JmcOptions *options,
                               JmcAccountsSource *source,
                               const JmcMailRun *wanted,
                               JmcMailReport *mail,
                               GError **error);
void jmc_mail_report_clear (JmcMailReport *self);

/* Puts text in front of all of it. */
void jmc_mail_report_prepend (JmcMailReport *self, const char *text);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcMailReport, jmc_mail_report_clear)

G_END_DECLS
