/* jm-run-sight-private.h: whether a name leads to runs that may be seen alone
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "access/jm-viewer-private.h"

G_BEGIN_DECLS

/* Whether there are runs of that id on that cluster, and the viewer may see all of them
 * that went on between the two times, 0 for open; or all, where none did. */
gboolean jm_run_sight_check_job (JmSql *sql,
                                 const char *cluster,
                                 const char *raw_id,
                                 gint64 since,
                                 gint64 until,
                                 JmViewer *viewer,
                                 gboolean *is_seen,
                                 GError **error);

/* The same of the runs that go by a uuid. */
gboolean jm_run_sight_check_uuid (JmSql *sql,
                                  const char *uuid,
                                  JmViewer *viewer,
                                  gboolean *is_seen,
                                  GError **error);

G_END_DECLS
