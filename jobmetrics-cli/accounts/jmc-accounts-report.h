/* jmc-accounts-report.h: all that the accounts know of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "accounts/jmc-accounts-source.h"
#include "report/run/jm-run-report.h"

G_BEGIN_DECLS

/* Of the run of this uuid; ABSENT where there is none. */
JmRunReport *
jmc_accounts_report_read (JmcAccountsSource *source, const char *uuid, GError **error);

G_END_DECLS
