/* jm-cpu-frequencies-private.h: how fast busy CPUs run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/* A sample of the CPUs' frequencies, which take turns: kernels before 5.18 may wait
 * milliseconds for one (https://docs.kernel.org/admin-guide/pm/cpufreq.html,
 * scaling_cur_freq). */
typedef struct _JmCpuFrequencies JmCpuFrequencies;

JmCpuFrequencies *jm_cpu_frequencies_new (JmHost *host);
void jm_cpu_frequencies_free (JmCpuFrequencies *self);

/* Reads some of the CPUs that were busy for @busy_ns, by number, in the last
 * @interval_ns. Returns a frequency for each, relative to the nominal one; NAN for those
 * that were not read. NULL where the host does not tell. */
const double *jm_cpu_frequencies_read (JmCpuFrequencies *self,
                                       const guint64 *busy_ns,
                                       guint n_cpus,
                                       guint64 interval_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCpuFrequencies, jm_cpu_frequencies_free)

G_END_DECLS
