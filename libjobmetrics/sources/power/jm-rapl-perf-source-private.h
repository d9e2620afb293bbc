/* jm-rapl-perf-source-private.h: events of power, and the calls that count them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"
#include "host/jm-host.h"
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

#define JM_PERF_POWER "/sys/bus/event_source/devices/power"

/* An event of the `power` PMU. A count is @factor / 2^@shift microjoules. */
typedef struct
{
  JmPowerDomain domain;
  const char *name; /* of the file in `events`, a literal */
  guint64 config;
  guint64 factor;
  guint shift;
} JmPerfEvent;

/* What perf calls the domain of a CPU's package and, unless it is -1, die. */
char *jm_perf_event_name_domain (const JmPerfEvent *self, guint64 package, gint64 die);

/* Both are total: any bytes may come in. */
gboolean jm_perf_parse_config (const char *text, gsize length, guint64 *config);
gboolean
jm_perf_parse_scale (const char *text, gsize length, guint64 *factor, guint *shift);

/* Events that cannot be made out are left out, and the first such reason is @problem,
 * else NULL.
 *
 * Returns: of JmPerfEvent; NULL where there is nothing, with @error */
GArray *jm_perf_find_events (JmHost *host, GError **problem, GError **error);

G_END_DECLS
