/* jme-jobs.h: the runs of a site, for those who may see them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-router.h"

G_BEGIN_DECLS

/* Pages of runs, and one run with its parts; for a JmeAccounts. */
extern const JmeRoute jme_jobs_routes[];

G_END_DECLS
