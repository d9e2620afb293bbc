/* jm-energy-balance-private.h: what of a node's measured energy is to be attributed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"

G_BEGIN_DECLS

/* Parts of a node that do not overlap: what a job's energy is split by. */
typedef enum
{
  JM_ENERGY_PACKAGE,
  JM_ENERGY_DRAM,
  JM_ENERGY_GPU,
  JM_ENERGY_NODE, /* the whole, where no part is measured */
  JM_ENERGY_REST, /* the whole less the parts that are measured */
} JmEnergyPart;

#define JM_N_ENERGY_PARTS (JM_ENERGY_REST + 1)

/* Measured ones first, then the same, estimated. */
#define JM_N_ENERGY_KINDS (2 * JM_N_ENERGY_PARTS)
#define JM_ENERGY_IS_ESTIMATED(kind) ((kind) >= JM_N_ENERGY_PARTS)

/* Energy of one part over one round. */
typedef struct
{
  guint kind; /* a part, with JM_N_ENERGY_PARTS added if estimated */
  JmPowerDomain domain;
  guint number;         /* of the socket; JM_POWER_DOMAIN_ALL for all of them */
  guint n_dies;         /* of the socket, or meters of it, that are in it */
  double covered;       /* these, as a part of those that were ever read */
  guint64 energy_uj;    /* of the round */
  guint64 earlier_uj;   /* of before it: the source had been silent */
  gboolean is_constant; /* whatever anybody does: all of it is idle power */
  gboolean is_keyed;    /* of an accelerator: which one it is, is known */
  guint device;         /* then its number in the node */
  gint64 span_us;       /* for how long @energy_uj went on */
  gint64 counted_us;    /* in which it was counted, where that is longer; -1 where it is
                           not known */
} JmEnergyItem;

/* How much of the meters of a socket was read in a round, 1 where all was. */
typedef struct
{
  JmEnergyPart part;
  guint number;
  double read;
} JmEnergySocket;

/* Chooses of several sources the best, and takes the parts out of the whole. */
typedef struct _JmEnergyBalance JmEnergyBalance;

JmEnergyBalance *jm_energy_balance_new (void);
void jm_energy_balance_free (JmEnergyBalance *self);

/* @intervals, of JmMeterInterval, the best source first, end with the round that began
 * at @began_us. The items stay the balance's. */
const GArray *jm_energy_balance_take (JmEnergyBalance *self,
                                      const GArray *intervals,
                                      gint64 began_us);

/* The sockets whose meters were ever read, of JmEnergySocket, as of the last round;
 * none of a part of the node that has one alone. They stay the balance's. */
const GArray *jm_energy_balance_get_sockets (JmEnergyBalance *self);

/* What it knows of the node's meters as of now, as JM_ENERGY_BALANCE_TYPE, for the
 * program that comes after. That has the same sources; what they took after @until_us of
 * the same clock is not accounted for, 0 in another boot. Accelerators may then have
 * other numbers. */
#define JM_ENERGY_BALANCE_TYPE "(a(uuubx)xb)"
GVariant *jm_energy_balance_save (JmEnergyBalance *self);
void
jm_energy_balance_restore (JmEnergyBalance *self, GVariant *value, gint64 until_us);

/* The values of the labels `domain` and `quality`. */
const char *jm_energy_kind_get_part (guint kind);
const char *jm_energy_kind_get_quality (guint kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEnergyBalance, jm_energy_balance_free)

G_END_DECLS
