/* jme-accounts-viewer.h: what who asks may see of the accounts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "store/jm-job-store.h"
#include "web/jme-request.h"

G_BEGIN_DECLS

/* Root and whom the daemon runs as see all; any other user of this machine what the
 * accounts let somebody of that name see; who comes over the network nothing.
 *
 * - Errors: `DENIED` for nobody that is known, else as jm_job_store_make_viewer(). */
JmViewer *
jme_accounts_find_viewer (JmJobStore *store, JmeRequest *request, GError **error);

G_END_DECLS
