/* jm-sweep-private.h: one round over a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "collect/energy/jm-energy-accounts-private.h"
#include "core/jm-snapshot.h"
#include "sources/cgroup/jm-cgroup-reader.h"
#include "sources/machine/jm-machine.h"
#include "sources/process/jm-process-table.h"

G_BEGIN_DECLS

/* What a sweep is to read. */
typedef struct
{
  JmLevel level;      /* the deepest */
  guint32 collectors; /* a bit for each JmCollector */
  gint64 linger_us;   /* for how long the ended stay on display */
  guint max_cpus;     /* a unit with more CPUs has no figures by CPU */
} JmSweepPlan;

typedef struct _JmSweep JmSweep;

/* @job_sources is looked into whenever a cgroup is born. @machine may be NULL. Takes
 * @energy. */
JmSweep *jm_sweep_new (const JmSweepPlan *plan,
                       GPtrArray *job_sources,
                       JmProcessTable *processes,
                       JmMachine *machine,
                       JmEnergyAccounts *energy);
void jm_sweep_free (JmSweep *self);

JmEnergyAccounts *jm_sweep_get_energy (JmSweep *self);
void jm_sweep_add_reader (JmSweep *self, JmCgroupReader *reader);
int jm_sweep_get_event_fd (JmSweep *self);

/* Reads everything once. */
JmSnapshot *jm_sweep_sample (JmSweep *self);

/* Between two rounds: follows births and deaths, and reads the jobs whose end is near.
 */
void jm_sweep_follow (JmSweep *self);

/* The processes of a job (JmProcess) as they are now. */
GPtrArray *jm_sweep_list_processes (JmSweep *self,
                                    const char *job,
                                    GCancellable *cancellable,
                                    GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSweep, jm_sweep_free)

G_END_DECLS
