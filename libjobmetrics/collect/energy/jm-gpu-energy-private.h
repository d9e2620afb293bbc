/* jm-gpu-energy-private.h: what a node's accelerators have taken, and for whom
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/energy/jm-energy-account-private.h"
#include "collect/energy/jm-gpu-split-private.h"

G_BEGIN_DECLS

/* A device, or an instance of one, as it is in a round. */
typedef struct
{
  JmGpuSeat seat;
  const char *name; /* by which it is known again: its uuid; NULL for none */
  guint subject;    /* its number in the round; 0 for none */
  double busy; /* what all processes on it kept it; NAN where one's use is not told */
} JmGpuDevice;

/* Joins a round's devices, jobs and joules, and keeps the totals of the devices. */
typedef struct _JmGpuEnergy JmGpuEnergy;

JmGpuEnergy *jm_gpu_energy_new (gboolean share_idle);
void jm_gpu_energy_free (JmGpuEnergy *self);

/* One round: the devices, and who had what of them, where @subject is the number of the
 * job and the device together; which accounts are covered by @items, of JmEnergyItem;
 * then each item that is keyed. */
void jm_gpu_energy_begin_round (JmGpuEnergy *self);
void jm_gpu_energy_add_device (JmGpuEnergy *self, const JmGpuDevice *device);
void jm_gpu_energy_add_user (JmGpuEnergy *self,
                             JmEnergyAccount *account,
                             const JmGpuUser *user,
                             guint subject);
void jm_gpu_energy_cover (JmGpuEnergy *self, const GArray *items);
const JmGpuParts *jm_gpu_energy_take (JmGpuEnergy *self, const JmEnergyItem *item);

/* The account that has the @user-th part and is covered; NULL where it is the system's. */
JmEnergyAccount *jm_gpu_energy_get_account (JmGpuEnergy *self, guint user);
guint jm_gpu_energy_get_n_users (JmGpuEnergy *self);

/* What the devices have taken so far, as JM_GPU_ENERGY_TYPE, for the program that comes
 * after; it goes on from there with those devices that it sees again. */
#define JM_GPU_ENERGY_TYPE "a(stbt)"
GVariant *jm_gpu_energy_save (JmGpuEnergy *self);
void jm_gpu_energy_restore (JmGpuEnergy *self, GVariant *value);

/* Tells what each device, and each job of a device, has taken. */
void jm_gpu_energy_tell (JmGpuEnergy *self, JmReadings *readings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuEnergy, jm_gpu_energy_free)

G_END_DECLS
