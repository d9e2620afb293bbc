/* jm-power-intake-private.h: what a node has taken since the round before
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/energy/jm-energy-balance-private.h"
#include "collect/energy/jm-power-meters-private.h"
#include "core/jm-readings.h"
#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

/* Reads the meters, and makes of their intervals the items of one round. */
typedef struct _JmPowerIntake JmPowerIntake;

JmPowerIntake *jm_power_intake_new (void);
void jm_power_intake_free (JmPowerIntake *self);

/* One that could not be opened, such as for a driver that is not loaded yet, is tried
 * again now and then. */
void jm_power_intake_add (JmPowerIntake *self, const char *name, JmPowerSource *source);

/* As jm_power_meters_set_finder() has it. */
void
jm_power_intake_set_finder (JmPowerIntake *self, JmFindDevice find, gpointer user_data);

/* The node's figures go to @readings. Returns the items, of JmEnergyItem, which stay the
 * intake's; NULL without meters. @now_us is of the monotonic clock, @round_us since
 * when; 0 in the first round. */
const GArray *jm_power_intake_read (JmPowerIntake *self,
                                    gint64 now_us,
                                    JmReadings *readings,
                                    gint64 *round_us);

/* How well the meters of sockets were read, of JmEnergySocket; they stay the intake's.
 */
const GArray *jm_power_intake_get_sockets (JmPowerIntake *self);

/* Waits until sources that answer in the background have done so once. */
void jm_power_intake_wait (JmPowerIntake *self, gint64 timeout_us);

/* What the next program needs to go on from this round, as JM_POWER_INTAKE_TYPE. The
 * first round of that then spans the time between, where it is in the same boot; in
 * another one only sums go on. @boot_id is NULL where it is not known. NULL while
 * nothing was read: what is kept then stays as it is. */
#define JM_POWER_INTAKE_TYPE "(sxas" JM_ENERGY_BALANCE_TYPE JM_POWER_METERS_TYPE ")"
GVariant *jm_power_intake_save (JmPowerIntake *self, const char *boot_id);
void jm_power_intake_restore (JmPowerIntake *self,
                              GVariant *value,
                              const char *boot_id,
                              gint64 now_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPowerIntake, jm_power_intake_free)

G_END_DECLS
