/* jmc-mail-notice.h: what a scheduler wants to be told
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "mail/jmc-mail-subject.h"

G_BEGIN_DECLS

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

G_END_DECLS
