/* jm-importer.h: files of accounting and nodes' records, into a site's archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "core/jm-job-record.h"
#include "judge/jm-run-rules.h"

G_BEGIN_DECLS

#define JM_TYPE_IMPORTER (jm_importer_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmImporter, jm_importer, JM, IMPORTER, GObject)

JM_AVAILABLE_IN_ALL
JmImporter *jm_importer_new (const char *archive, const char *cluster, GError **error);

JM_AVAILABLE_IN_ALL
char **jm_importer_list_formats (void);

JM_AVAILABLE_IN_ALL
gboolean jm_importer_read_stream (JmImporter *self,
                                  const char *format,
                                  GInputStream *stream,
                                  GCancellable *cancellable,
                                  GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_importer_add_records (JmImporter *self, GPtrArray *records, GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_importer_judge (JmImporter *self,
                            JmRunRules *rules,
                            guint patience_ms,
                            GError **error);

JM_AVAILABLE_IN_ALL
guint64 jm_importer_get_n_runs (JmImporter *self);

JM_AVAILABLE_IN_ALL
guint64 jm_importer_get_n_bad (JmImporter *self);

JM_AVAILABLE_IN_ALL
guint64 jm_importer_get_n_refused (JmImporter *self);

G_END_DECLS
