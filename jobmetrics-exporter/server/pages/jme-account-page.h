/* jme-account-page.h: accounts on pages
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/pages/jme-page.h"

G_BEGIN_DECLS

/* All accounts by name, and what one of them had; for JmePages. */
void jme_accounts_page_answer (JmeRequest *request, gpointer pages);
void jme_account_page_answer (JmeRequest *request, gpointer pages);

G_END_DECLS
