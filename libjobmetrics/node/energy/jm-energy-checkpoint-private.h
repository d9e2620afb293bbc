/* jm-energy-checkpoint-private.h: what of a node's energy outlives the program
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/energy/jm-energy-account-private.h"

G_BEGIN_DECLS

/* Takes @value, which may be floating. */
GBytes *jm_energy_checkpoint_pack (GVariant *value);

/* NULL for what is not a value of that type and version, whatever it is. */
GVariant *jm_energy_checkpoint_unpack (GBytes *bytes, const char *type);

/* An account, of which a round's own figures are left out. */
GBytes *jm_energy_checkpoint_pack_account (const JmEnergyAccount *account);

/* NULL for what is not an account. Its accelerators are known by their names alone. */
JmEnergyAccount *jm_energy_checkpoint_unpack_account (GBytes *bytes);

G_END_DECLS
