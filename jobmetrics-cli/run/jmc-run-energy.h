/* jmc-run-energy.h: the energy of a command that we run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"
#include "run/jmc-run-report.h"

G_BEGIN_DECLS

/* Looks at the node's power sources from before the command begins until it has ended.
 * A command in the process tree alone has no account: only one with a cgroup has. */
typedef struct _JmcRunEnergy JmcRunEnergy;

gboolean jmc_run_energy_check (const JmcMetering *metering);
JmcRunEnergy *jmc_run_energy_new (const JmcOptions *options, GError **error);
void jmc_run_energy_free (JmcRunEnergy *self);
gboolean jmc_run_energy_is_known (JmcRunEnergy *self);
void jmc_run_energy_look (JmcRunEnergy *self);
void
jmc_run_energy_report (JmcRunEnergy *self, const char *job_id, JmcRunReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcRunEnergy, jmc_run_energy_free)

G_END_DECLS
