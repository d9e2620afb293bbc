/* jme-accounts-viewer.h: what who asks may see of the accounts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "store/jm-job-store.h"
#include "web/jme-identity.h"
#include "web/jme-router.h"

G_BEGIN_DECLS

/* How somebody comes to a page of the accounts: who they are is found out there. */
JmeAccess jme_accounts_choose_access (JmeRequest *request);

/* Root and whom the daemon runs as see all over the local socket; anybody else what the
 * accounts let a user of their name see.
 *
 * - Errors: as jm_job_store_make_viewer(). */
JmViewer *jme_accounts_make_viewer (JmJobStore *store,
                                    JmeRequest *request,
                                    const char *user,
                                    GError **error);

G_END_DECLS
