/* jm-machine-private.h: what each of a node's CPUs has done, and how fast
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"
#include "host/jm-host.h"
#include "host/jm-source.h"
#include "host/jm-topology-private.h"

G_BEGIN_DECLS

#define JM_TYPE_MACHINE (jm_machine_get_type ())

G_DECLARE_FINAL_TYPE (JmMachine, jm_machine, JM, MACHINE, JmSource)

void jm_machine_read (JmMachine *self, JmReadings *readings);

/* Where each CPU is, as of the last reading; an empty array where that is not known. */
const GArray *jm_machine_get_seats (JmMachine *self);

/* Fills @busy_ns with the time for which each CPU was busy, by number; 0 for one that
 * is not online. Goes with the figures of the last jm_machine_read(), if that wanted
 * the node's. FALSE where it cannot be read, which is an error of @readings. */
gboolean
jm_machine_read_cpu_times (JmMachine *self, GArray *busy_ns, JmReadings *readings);

/* A sample of the CPUs' frequencies, which take turns: kernels before 5.18 may wait
 * milliseconds for one (https://docs.kernel.org/admin-guide/pm/cpufreq.html,
 * scaling_cur_freq). */
typedef struct _JmCpuFrequencies JmCpuFrequencies;

JmCpuFrequencies *jm_cpu_frequencies_new (JmHost *host);
void jm_cpu_frequencies_free (JmCpuFrequencies *self);

/* Reads some of the CPUs that were busy for @busy_ns, by number, in the last
 * @interval_ns. Returns a frequency for each, relative to the nominal one; NAN for
 * those that were not read. NULL where the host does not have it. */
const double *jm_cpu_frequencies_read (JmCpuFrequencies *self,
                                       const guint64 *busy_ns,
                                       guint n_cpus,
                                       guint64 interval_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCpuFrequencies, jm_cpu_frequencies_free)

G_END_DECLS
