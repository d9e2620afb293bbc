/* jmc-accounts-report.h: all that the accounts know of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "accounts/jmc-accounts-source.h"
#include "judge/jm-run-report.h"

G_BEGIN_DECLS

/* Of the run of this uuid; ABSENT where there is none. */
JmRunReport *
jmc_accounts_report_read (JmcAccountsSource *source, const char *uuid, GError **error);

/* What a time series database has of its course over time, where no node has told of
 * that; one that cannot be read is reported, and costs no more than that. */
void jmc_accounts_report_add_series (JmcAccountsSource *source, JmRunReport *report);

G_END_DECLS
