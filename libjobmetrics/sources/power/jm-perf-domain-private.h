/* jm-perf-domain-private.h: what one event of a PMU counts on one package
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"
#include "sources/power/jm-energy-counter-private.h"
#include "sources/power/jm-perf-event-private.h"
#include "sources/power/jm-rapl-perf-source-private.h"

G_BEGIN_DECLS

/* How its counts are asked for. */
typedef struct
{
  JmHost *host;             /* the source's */
  const JmPerfCalls *calls; /* NULL for those of the system */
  gpointer user_data;
  guint32 type;
} JmPerfPmu;

typedef struct
{
  char *name; /* a GRefString */
  const JmPerfEvent *event;
  guint cpu;
  gboolean is_wanted; /* whether its package has a CPU online */
  int fd;
  JmEnergyCounter counter;
  gboolean is_read;
  GError *missed; /* of the last reading */
} JmPerfDomain;

/* Opens it where it is not. FALSE, with @error, where nothing is known of since it was
 * read last. */
gboolean jm_perf_domain_read (JmPerfDomain *self, const JmPerfPmu *pmu, GError **error);
void jm_perf_domain_close (JmPerfDomain *self, const JmPerfPmu *pmu);

/* Reads it for the last time: what it has counted up to now is kept. */
void jm_perf_domain_finish (JmPerfDomain *self, const JmPerfPmu *pmu);

/* For an array of them; it must have been closed. */
void jm_perf_domain_clear (gpointer domain);

G_END_DECLS
