/* jme-statistics.h: how the runs of a site fared
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-router.h"

G_BEGIN_DECLS

/* Waits, durations, efficiencies and what was lost; for a JmeAccounts. */
extern const JmeRoute jme_statistics_routes[];

G_END_DECLS
