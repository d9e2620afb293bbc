/* jm-listing.h: what there is to choose from in a site's archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/jm-archive-database.h"

G_BEGIN_DECLS

/**
 * JmListing:
 *
 * A cluster, user, account or partition that has had runs. Nobody changes it once it is
 * made.
 *
 * Since: 0.1
 */
typedef struct _JmListing JmListing;

#define JM_TYPE_LISTING (jm_listing_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_listing_get_type (void);

JM_AVAILABLE_IN_ALL
JmListing *jm_listing_ref (JmListing *self);

JM_AVAILABLE_IN_ALL
void jm_listing_unref (JmListing *self);

JM_AVAILABLE_IN_ALL
const char *jm_listing_get_name (JmListing *self);

JM_AVAILABLE_IN_ALL
gint64 jm_listing_get_n_runs (JmListing *self);

JM_AVAILABLE_IN_ALL
gint64 jm_listing_get_first_day (JmListing *self);

JM_AVAILABLE_IN_ALL
gint64 jm_listing_get_last_day (JmListing *self);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_archive_database_list_names (JmArchiveDatabase *self,
                                           JmUsageGroups kind,
                                           JmRunFilter *filter,
                                           const char *after,
                                           JmViewer *viewer,
                                           gboolean *has_more,
                                           GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmListing, jm_listing_unref)

G_END_DECLS
