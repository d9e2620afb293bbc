/* jm-counter-types-private.h: the sources of counters that are opened by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/counters/jm-counter-source-private.h"
#include "sources/counters/jm-perf-groups-private.h"

G_BEGIN_DECLS

#define JM_TYPE_FILESYSTEM_SOURCE (jm_filesystem_source_get_type ())

G_DECLARE_FINAL_TYPE (JmFilesystemSource,
                      jm_filesystem_source,
                      JM,
                      FILESYSTEM_SOURCE,
                      JmSource)

JmFilesystemSource *jm_filesystem_source_new (JmHost *host, GError **error);

#define JM_TYPE_NETWORK_SOURCE (jm_network_source_get_type ())

G_DECLARE_FINAL_TYPE (JmNetworkSource, jm_network_source, JM, NETWORK_SOURCE, JmSource)

JmNetworkSource *jm_network_source_new (JmHost *host, GError **error);

#define JM_TYPE_PERCPU_SOURCE (jm_percpu_source_get_type ())

G_DECLARE_FINAL_TYPE (JmPercpuSource, jm_percpu_source, JM, PERCPU_SOURCE, JmSource)

/* @mount is where cgroup version 2 is mounted. */
JmPercpuSource *jm_percpu_source_new (JmHost *host, const char *mount, GError **error);

/* What 512 CPUs take, with all events, in jobs that do not share them. */
#define JM_PERF_MAX_COUNTERS 8192

#define JM_TYPE_PERF_SOURCE (jm_perf_source_get_type ())

G_DECLARE_FINAL_TYPE (JmPerfSource, jm_perf_source, JM, PERF_SOURCE, JmSource)

JmPerfSource *jm_perf_source_new (JmHost *host, GError **error);

/* With other counters than the kernel's, for tests: the host need not be live. @kernel
 * must outlive the source. */
JmPerfSource *jm_perf_source_new_with_kernel (JmHost *host,
                                              guint max_counters,
                                              const JmPerfKernel *kernel,
                                              GError **error);

guint jm_perf_source_get_n_open (JmPerfSource *self);
gboolean jm_perf_source_has_hardware (JmPerfSource *self);

G_END_DECLS
