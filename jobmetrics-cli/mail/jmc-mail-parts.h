/* jmc-mail-parts.h: what a scheduler's mail says, and the report that goes with it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

#include "archive/jm-archive.h"
#include "jmc-options.h"

G_BEGIN_DECLS

/* JmcMailSubject:
 * @job: as the archive knows it, such as `12`, `12_3` or `12.server`; NULL where the
 *   mail is about none
 * @is_end: whether it is about the end of the job
 * @is_array: whether it is about all of a job array, which is no run */
typedef struct
{
  char *job;
  gboolean is_end;
  gboolean is_array;
} JmcMailSubject;

/* What Slurm, Grid Engine and PBS write there; anything else is about no job. Of PBS,
 * the body alone says what happened. Any bytes will do. */
void
jmc_mail_subject_parse (JmcMailSubject *self, const char *subject, const char *body);
void jmc_mail_subject_clear (JmcMailSubject *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcMailSubject, jmc_mail_subject_clear)

/* JmcMailNotice:
 * @sender: who sends it, as PBS has it; NULL where nobody said
 * @recipients: as they were given, of strings
 * @body: perhaps empty
 * @about: which job it is about
 * @cluster, @user: of the job; NULL where they are not known
 * @start_time: of the job, seconds since 1970; 0 where it is not known
 *
 * A mail that a scheduler has made, text in UTF-8. */
typedef struct
{
  char *sender;
  GPtrArray *recipients;
  char *subject;
  char *body;
  JmcMailSubject about;
  char *cluster;
  char *user;
  gint64 start_time;
} JmcMailNotice;

/* How many of the arguments, the program's name included, are options of ours: those
 * before -s or -f. What stands behind was written by users, and is never an option. */
guint jmc_mail_notice_count_options (int argc, char **argv);

/* Takes what comes behind them: `-s SUBJECT RECIPIENT...` with the body at the standard
 * input, as Slurm and Grid Engine call mail, or `-f SENDER RECIPIENT...` with all of
 * the message there, as PBS calls sendmail. FALSE with an error where it is neither. */
gboolean
jmc_mail_notice_take (JmcMailNotice *self, char **arguments, int fd, GError **error);
void jmc_mail_notice_clear (JmcMailNotice *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcMailNotice, jmc_mail_notice_clear)

/* JmcMailRun:
 * @job: its id, as its user sees it or as its scheduler writes it
 * @cluster, @user: NULL where they are not known
 * @start_time: seconds since 1970; 0 where it is not known
 * @wants_pdf: whether the report is wanted on paper, too
 * @wants_whole: whether it is too early without how it ended, by its scheduler, and
 *   what its nodes have measured
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
                               JmArchive *archive,
                               const JmcMailRun *wanted,
                               JmcMailReport *mail,
                               GError **error);
void jmc_mail_report_clear (JmcMailReport *self);

/* Puts text in front of all of it. */
void jmc_mail_report_prepend (JmcMailReport *self, const char *text);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcMailReport, jmc_mail_report_clear)

/* Asks the archive that the options name for the report of a run, and asks again for
 * @wait_ms where it is not there yet. FALSE with an error where it did not come. Where
 * that is because somebody does not answer at all, @is_stuck is set: a thread then
 * still waits for the answer, and the program must end by _exit(). */
gboolean jmc_mail_wait_for_report (const JmcOptions *options,
                                   const JmcMailRun *wanted,
                                   guint wait_ms,
                                   JmcMailReport *report,
                                   gboolean *is_stuck,
                                   GError **error);

G_END_DECLS
