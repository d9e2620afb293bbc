/* jm-bpf-process-source-private.h: sources of processes, as each other needs them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/process/jm-process-sweep-private.h"
#include "sources/process/jm-procfs-source-private.h"

G_BEGIN_DECLS

#define JM_TYPE_BPF_PROCESS_SOURCE (jm_bpf_process_source_get_type ())

G_DECLARE_FINAL_TYPE (JmBpfProcessSource,
                      jm_bpf_process_source,
                      JM,
                      BPF_PROCESS_SOURCE,
                      JmProcfsSource)

JmBpfProcessSource *jm_bpf_process_source_new (JmHost *host, GError **error);

JmProcessSweep *jm_procfs_source_get_sweep (JmProcfsSource *source);

G_END_DECLS
