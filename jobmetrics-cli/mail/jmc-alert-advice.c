/* jmc-alert-advice.c: advice for the owners of running jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-alert-advice.h"

#include "core/jm-error.h"

GPtrArray *
jmc_alert_advice_find (JmcAccountsSource *source, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
               "the accounts give no advice yet: name a file of it with --advice=FILE");

  return NULL;
}
