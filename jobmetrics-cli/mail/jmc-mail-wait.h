/* jmc-mail-wait.h: a report that may come late, or not at all
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"
#include "mail/jmc-mail-report.h"

G_BEGIN_DECLS

/* Asks the accounts that the options name for the report of a run, and asks again for
 * @wait_ms where it is not there yet. FALSE with an error where it did not come. Where
 * that is because somebody does not answer at all, @is_stuck is set: a thread then still
 * waits for the answer, and the program must end by _exit(). */
gboolean jmc_mail_wait_for_report (const JmcOptions *options,
                                   const JmcMailRun *wanted,
                                   guint wait_ms,
                                   JmcMailReport *report,
                                   gboolean *is_stuck,
                                   GError **error);

G_END_DECLS
