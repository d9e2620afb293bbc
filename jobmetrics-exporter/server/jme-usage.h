/* jme-usage.h: what users and accounts have used, day by day
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-router.h"

G_BEGIN_DECLS

/* Sums of days; for a JmeAccounts. */
extern const JmeRoute jme_usage_routes[];

G_END_DECLS
