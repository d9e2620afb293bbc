/* jm-spool-reader.h: what the jobs of a scheduler without cgroups have used
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-cgroup-reader.h"

G_BEGIN_DECLS

#define JM_TYPE_SPOOL_READER (jm_spool_reader_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmSpoolReader, jm_spool_reader, JM, SPOOL_READER, JmSource)

G_END_DECLS
