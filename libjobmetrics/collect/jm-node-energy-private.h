/* jm-node-energy-private.h: the meters and providers that a node was told of, or has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/energy/jm-energy-accounts-private.h"

G_BEGIN_DECLS

/* What a node is told of energy. */
typedef struct
{
  const char *const *power_sources;      /* specifications; NULL for what is found */
  const char *const *emission_providers; /* the same; NULL for the world's average */
  gboolean share_idle;
  const char *const *files; /* of accounts; NULL for none */
  gboolean keeps_files;
} JmEnergyPlan;

/* What cannot be meant is an error; what the host lacks goes to @problems, of GError. */
JmEnergyAccounts *jm_node_energy_open (const JmEnergyPlan *plan,
                                       JmHost *host,
                                       JmMachine *machine,
                                       GPtrArray *problems,
                                       GError **error);

/* Adds one that was written elsewhere, by the name of its type. */
void jm_node_energy_add (JmEnergyAccounts *accounts, JmSource *source);

G_END_DECLS
