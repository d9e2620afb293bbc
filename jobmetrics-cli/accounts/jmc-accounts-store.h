/* jmc-accounts-store.h: a site's runs from their database
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "accounts/jmc-accounts-source.h"

G_BEGIN_DECLS

/* Whoever can read the database sees all of it. */
JmcAccountsSource *jmc_accounts_store_open (const char *uri, GError **error);

G_END_DECLS
