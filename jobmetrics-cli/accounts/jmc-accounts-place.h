/* jmc-accounts-place.h: where the accounts are, as the command line says it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "accounts/jmc-accounts-source.h"

G_BEGIN_DECLS

/* Where the server's unit has its socket and its database. */
#define JMC_USUAL_SERVER_SOCKET "/run/jobmetrics-server/socket"
#define JMC_USUAL_STORE "/var/lib/jobmetrics-server/accounts.db"

void jmc_accounts_place_add_settings (JmcOptions *options, GOptionGroup *group);

/* NULL, and has reported why and put an exit status there, where there are none. */
JmcAccountsSource *jmc_accounts_place_open (const JmcOptions *options, int *status);

/* NULL with an error where there are none, for those who are not at a terminal. */
JmcAccountsSource *jmc_accounts_place_open_or_tell (const JmcOptions *options,
                                                    GError **error);

G_END_DECLS
