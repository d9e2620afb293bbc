/* jm-attribution-private.h: splits a domain's energy among those who used it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"
#include "node/energy/jm-work-private.h"

G_BEGIN_DECLS

/* What becomes of the energy that a domain takes while it does nothing. */
typedef enum
{
  JM_IDLE_POLICY_APART,  /* no job's: it is exported by itself */
  JM_IDLE_POLICY_SHARED, /* whose the domain is allocated, by how much of it */
} JmIdlePolicy;

/* What one job has asked of a domain in an interval; or all that is no job's, the
 * system. What is not known is NAN. */
typedef struct
{
  guint64 id;          /* the same in every interval; 0 is the system's */
  double cpu_seconds;  /* CPU time on the domain's packages, weighted by activity; for
                          memory plain, of the cores of all packages that it serves */
  double busy_seconds; /* CPU time on them, as it is */
  double allocated_seconds; /* CPUs on them, times how long they were its */
  JmWork work;              /* of the CPU time on them */
} JmLoad;

/* One domain over one interval. */
typedef struct
{
  /* JM_POWER_DOMAIN_NODE is what no component has measured, JM_POWER_DOMAIN_PSYS a
   * whole of which none is */
  JmPowerDomain domain;
  guint number; /* of the socket */
  guint64 energy_uj;
  double seconds;
  double capacity_seconds; /* CPUs on these packages, times @seconds */
  gboolean is_constant;    /* whatever anybody does: all of it is idle power */
} JmDomainInterval;

/* Learns from interval to interval what a domain takes when idle, and what each load
 * asks of it. */
typedef struct _JmAttribution JmAttribution;

JmAttribution *jm_attribution_new (JmIdlePolicy policy);
void jm_attribution_free (JmAttribution *self);

/* Whether to learn of each load by itself, as is the default; else all are alike. */
void jm_attribution_set_tells_apart (JmAttribution *self, gboolean tells_apart);

/* Fills @parts_uj, one for each load. With the idle part, which is returned, they add
 * up to the interval's energy, to the microjoule. */
guint64 jm_attribution_split (JmAttribution *self,
                              const JmDomainInterval *interval,
                              const JmLoad *loads,
                              guint n_loads,
                              guint64 *parts_uj);

/* Whether the last interval was split by what processors counted. */
gboolean jm_attribution_is_counted (JmAttribution *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmAttribution, jm_attribution_free)

G_END_DECLS
