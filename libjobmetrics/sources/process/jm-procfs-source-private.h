/* jm-procfs-source-private.h: what the processes of jobs do, from procfs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/process/jm-process-source-private.h"

G_BEGIN_DECLS

#define JM_TYPE_PROCFS_SOURCE (jm_procfs_source_get_type ())

G_DECLARE_DERIVABLE_TYPE (JmProcfsSource, jm_procfs_source, JM, PROCFS_SOURCE, JmSource)

/* The class of sources that know processes by procfs, or by it too. */
struct _JmProcfsSourceClass
{
  /*< private >*/
  JmSourceClass parent_class;
};

G_END_DECLS
