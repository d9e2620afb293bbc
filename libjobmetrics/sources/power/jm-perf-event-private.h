/* jm-perf-event-private.h: which energy counters perf has, and how they count
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-power-domain.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

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
