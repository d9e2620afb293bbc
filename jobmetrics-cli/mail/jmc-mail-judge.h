/* jmc-mail-judge.h: a run of the accounts, and what is to be said of it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "accounts/jmc-accounts-source.h"
#include "jmc-options.h"
#include "report/advice/jm-run-rules.h"

G_BEGIN_DECLS

/* All that the accounts know of the run of this uuid. */
JmRunReport *
jmc_mail_judge_read (JmcAccountsSource *source, const char *uuid, GError **error);

/* The rules of advice, with those of the site, which is where --path.rootfs says. */
JmRunRules *jmc_mail_judge_open_rules (const JmcOptions *options, GError **error);

G_END_DECLS
