/* jm-gpu-energy-private.h: what a node's accelerators have taken, and for whom
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/energy/jm-energy-account-private.h"

G_BEGIN_DECLS

/* A device, or an instance (MIG) of one, as it was in a round. What is not known is
 * NAN.
 */
typedef struct
{
  guint device;
  gboolean is_instance;
  guint parent;     /* of an instance */
  double size;      /* of an instance: which part of its parent it is; else 1 */
  double use;       /* how busy it was, 0 to 1 */
  guint64 power_uw; /* of a device, now; 0 where it is not known */
} JmGpuSeat;

/* Who had something of a device in a round. What is not known is NAN. */
typedef struct
{
  guint device;
  double share;    /* that he was given; 0 where he uses it without */
  double use;      /* how busy his processes kept it, 0 to 1 */
  double presence; /* for which part of the round he had it */
} JmGpuUser;

/* The parts of a device's energy: the users', the system's and what is nobody's add up
 * to it. */
typedef struct
{
  const guint64 *users_uj; /* in the order in which they were added */
  guint64 system_uj;       /* what was used by nobody who is known */
  guint64 idle_uj;         /* nobody's */
  guint64 base_uj;         /* what being there takes, whosever it is */
  gboolean is_base_known;
} JmGpuParts;

/* Learns what each device takes while nobody uses it, and splits the rest among those
 * who had it. Keeps its memory from round to round. */
typedef struct _JmGpuSplit JmGpuSplit;

JmGpuSplit *jm_gpu_split_new (gboolean share_idle);
void jm_gpu_split_free (JmGpuSplit *self);

/* One round: the devices and their instances; who had what of them; then the energy of
 * devices, and the time that it took. The parts stay the split's until the next energy.
 */
void jm_gpu_split_begin_round (JmGpuSplit *self);
void jm_gpu_split_add_seat (JmGpuSplit *self, const JmGpuSeat *seat);
void jm_gpu_split_add_user (JmGpuSplit *self, const JmGpuUser *user);
const JmGpuParts *
jm_gpu_split_take (JmGpuSplit *self, guint device, guint64 energy_uj, gint64 span_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuSplit, jm_gpu_split_free)

/* A device, or an instance of one, as it is in a round. */
typedef struct
{
  JmGpuSeat seat;
  const char *name; /* by which it is known again: its uuid; NULL for none */
  guint subject;    /* its number in the round; 0 for none */
  double busy; /* what all processes on it kept it; NAN where one's use is not known */
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

/* Adds what each device, and each job of a device, has taken. */
void jm_gpu_energy_tell (JmGpuEnergy *self, JmReadings *readings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuEnergy, jm_gpu_energy_free)

G_END_DECLS
