/* jme-ceems-sums.h: sums of days that are asked for in CEEMS' words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-ceems-answer.h"

G_BEGIN_DECLS

/* Of each user and account of @filter on each cluster, in the order of clusters, users and
 * accounts: of the whole days of the window, or of its time alone where it is shorter
 * than a day, or of all. Those are left out that are too
 * many, with a warning.
 *
 * - Errors: as jm_archive_database_list_usage(). */
GPtrArray *jme_ceems_list_sums (JmeCeemsAnswer *self,
                                JmRunFilter *filter,
                                gboolean is_of_window,
                                GError **error);

G_END_DECLS
