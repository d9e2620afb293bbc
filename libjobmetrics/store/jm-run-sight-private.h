/* jm-run-sight-private.h: whether a name leads to runs that may be seen alone
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "store/jm-viewer-private.h"

G_BEGIN_DECLS

/* Whether there are runs of that id on that cluster, all of which the viewer may see.
 */
gboolean jm_run_sight_check_job (JmSql *sql,
                                 const char *cluster,
                                 const char *raw_id,
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
