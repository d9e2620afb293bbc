/* jmc-alert-advice.h: advice for the owners of running jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "accounts/jmc-accounts-source.h"
#include "jmc-options.h"
#include "mail/jmc-alert-finding.h"

G_BEGIN_DECLS

/* What is worth a change about jobs that run, of all users that one may see: of
 * JmcAlertFinding. */
GPtrArray *jmc_alert_advice_find (const JmcOptions *options,
                                  JmcAccountsSource *source,
                                  GError **error);

G_END_DECLS
