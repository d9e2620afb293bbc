/* jmc-report-rules.h: the rules that commands judge runs by
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"
#include "report/advice/jm-run-rules.h"

G_BEGIN_DECLS

/* Reports what of a site's rules is wrong; NULL, and has reported why, where they
 * cannot be read. */
JmRunRules *jmc_report_rules_open (const JmcOptions *options);

G_END_DECLS
