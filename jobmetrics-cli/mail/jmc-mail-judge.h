/* jmc-mail-judge.h: the rules that mails advise by
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"
#include "report/advice/jm-run-rules.h"

G_BEGIN_DECLS

/* The rules of advice, with those of the site, which is where --path.rootfs says. */
JmRunRules *jmc_mail_judge_open_rules (const JmcOptions *options, GError **error);

G_END_DECLS
