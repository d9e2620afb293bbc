/* jme-archive-fill.h: fills the archive from a time series database
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "archive/jm-archive-database-private.h"
#include "archive/tsdb/jm-tsdb-fill-private.h"
#include "base/jm-settings-private.h"
#include "daemon/jme-figures.h"

G_BEGIN_DECLS

/* What no ledger has, where a database is named. The intake's thread runs it. */
typedef struct _JmeAccountsFill JmeArchiveFill;

void jme_archive_fill_add_settings (JmSettings *settings);

/* NULL with an error for invalid settings. */
JmeArchiveFill *jme_archive_fill_new (const JmSettings *settings, GError **error);
void jme_archive_fill_free (JmeArchiveFill *self);

/* The database, for who asks it about single runs: of one thread.
 *
 * - Errors: `ABSENT` where none is named; as jm_tsdb_set_login_file(). */
JmTsdb *jme_archive_fill_make_tsdb (const JmSettings *settings, GError **error);

/* What messages call it; NULL where no database is named. */
const char *jme_archive_fill_get_name (const JmeArchiveFill *self);

/* Fills what there is to fill now. */
gboolean jme_archive_fill_run (JmeArchiveFill *self,
                               JmArchiveDatabase *store,
                               GCancellable *cancellable,
                               GError **error);

/* For any thread. */
void jme_archive_fill_append_figures (JmeArchiveFill *self,
                                      JmMetricSelection *selection,
                                      JmTextWriter *writer);
gboolean jme_archive_fill_match_figures (const char *pattern);

G_END_DECLS
