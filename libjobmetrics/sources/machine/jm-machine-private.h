/* jm-machine-private.h: what each of a node's CPUs has done
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-topology-private.h"
#include "sources/machine/jm-machine.h"

G_BEGIN_DECLS

/* Where each CPU is, as of the last reading; an empty array where that is not known. */
const GArray *jm_machine_get_seats (JmMachine *self);

/* Fills @busy_ns with the time for which each CPU was busy, by number; 0 for one that
 * is not online. Goes with the figures of the last jm_machine_read(), if that wanted
 * the node's. FALSE where it cannot be read, which is told to @readings. */
gboolean
jm_machine_read_cpu_times (JmMachine *self, GArray *busy_ns, JmReadings *readings);

G_END_DECLS
