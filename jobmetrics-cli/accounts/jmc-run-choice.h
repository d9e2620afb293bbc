/* jmc-run-choice.h: which run of the accounts an id means
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "accounts/jmc-accounts-source.h"

G_BEGIN_DECLS

/* The uuid of the newest run of @job, which is an id such as 12345, 123_4 or 12+1, on
 * @cluster, or on any for NULL. NULL with an error where there is none, ABSENT where
 * the accounts know of no such job. Where there are others it says so on the standard
 * error. */
char *jmc_run_choice_find (JmcAccountsSource *source,
                           const char *job,
                           const char *cluster,
                           GError **error);

/* The uuid of the run of the calling user that began last. */
char *jmc_run_choice_find_last (JmcAccountsSource *source,
                                const char *cluster,
                                GError **error);

G_END_DECLS
