/* jme-accounts-health.h: what the server knows of its own state
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-accounts-intake.h"
#include "server/jme-accounts.h"
#include "web/jme-router.h"

G_BEGIN_DECLS

/* JmeAccountsHealth:
 * @accounts: what is read
 * @intake: what is written
 *
 * Of what it is told. */
typedef struct
{
  JmeAccounts *accounts;
  JmeAccountsIntake *intake;
} JmeAccountsHealth;

/* To everybody whether all is well, to administrators what is not; and administrators
 * have all read anew. For a JmeAccountsHealth. */
extern const JmeRoute jme_accounts_health_routes[];

G_END_DECLS
