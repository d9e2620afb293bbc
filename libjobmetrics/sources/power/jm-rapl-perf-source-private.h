/* jm-rapl-perf-source-private.h: the system calls that the source makes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

#define JM_TYPE_RAPL_PERF_SOURCE (jm_rapl_perf_source_get_type ())

G_DECLARE_FINAL_TYPE (JmRaplPerfSource,
                      jm_rapl_perf_source,
                      JM,
                      RAPL_PERF_SOURCE,
                      JmSource)

/* Each returns a negative errno where it fails. */
typedef struct
{
  /* Begins to count an event on a CPU; a descriptor. */
  int (*open) (gpointer user_data, guint32 type, guint64 config, guint cpu);
  /* Bytes read: as many as @count has, or 0 for an event that is dead. */
  gssize (*read) (gpointer user_data, int fd, guint64 *count);
  void (*close) (gpointer user_data, int fd);
} JmPerfCalls;

/* With other calls than those of the system, for tests: the host need not be live.
 * @calls and @user_data must outlive the source. */
JmRaplPerfSource *jm_rapl_perf_source_new_with_calls (JmHost *host,
                                                      const JmPerfCalls *calls,
                                                      gpointer user_data,
                                                      GError **error);

G_END_DECLS
