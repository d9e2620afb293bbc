/* jmc-report-rules.h: the rules that commands judge runs by
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"
#include "judge/jm-run-rules.h"

G_BEGIN_DECLS

/* Such as jmc_output_complain(). */
typedef void (*JmcComplain) (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* The rules of advice, with those of the site, below --path.rootfs. @complain gets each
 * rule of the site that is wrong, and why there are none where NULL is returned: a
 * report without advice is better than no report. */
JmRunRules *jmc_report_rules_open (const JmcOptions *options, JmcComplain complain);

G_END_DECLS
