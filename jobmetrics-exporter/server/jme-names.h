/* jme-names.h: what there is to choose from in a site's accounts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-router.h"

G_BEGIN_DECLS

/* Pages of clusters, accounts, users and partitions; for a JmeAccounts. */
extern const JmeRoute jme_names_routes[];

G_END_DECLS
