/* jmc-mail-subject.h: which job a scheduler's mail is about, and whether it ended
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* JmcMailSubject:
 * @job: as the accounts know it, such as `12`, `12_3` or `12.server`; NULL where the mail
 *   is about none
 * @is_end: whether it tells that the job ended
 * @is_array: whether it is about all of a job array, which is no run */
typedef struct
{
  char *job;
  gboolean is_end;
  gboolean is_array;
} JmcMailSubject;

/* What Slurm, Grid Engine and PBS write there; anything else is about no job. Of PBS,
 * the body alone tells what happened. Any bytes will do. */
void
jmc_mail_subject_parse (JmcMailSubject *self, const char *subject, const char *body);

/* Whether this is what Slurm calls the end of a job. */
gboolean jmc_mail_subject_is_end (const char *mail_type);

void jmc_mail_subject_clear (JmcMailSubject *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcMailSubject, jmc_mail_subject_clear)

G_END_DECLS
