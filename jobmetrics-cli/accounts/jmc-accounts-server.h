/* jmc-accounts-server.h: a site's runs from the server that keeps them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "accounts/jmc-accounts-source.h"

G_BEGIN_DECLS

/* @url is http://..., https://..., or unix:PATH; @login_file and @ca_file may be NULL.
 * Nobody is asked yet. */
JmcAccountsSource *jmc_accounts_server_open (const char *url,
                                             const char *login_file,
                                             const char *ca_file,
                                             GError **error);

G_END_DECLS
