/* jm-energy-bulletin-private.h: accounts for the other programs of the node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/* Writes the accounts from time to time into a file that every user may read, in a
 * thread of its own: who has no meters shows energy by it. */
typedef struct _JmEnergyBulletin JmEnergyBulletin;

#define JM_ENERGY_BULLETIN "/run/jobmetrics-exporter/energy.json"

JmEnergyBulletin *jm_energy_bulletin_new (JmHost *host);

/* What was handed over is written by then. */
void jm_energy_bulletin_free (JmEnergyBulletin *self);

/* Whether the time has come, and the one before is written. */
gboolean jm_energy_bulletin_is_due (JmEnergyBulletin *self);

/* Copies the accounts, of JmEnergyAccount by uuid or by a name of the file's. Where the
 * directory is not there, nothing is written. */
void jm_energy_bulletin_publish (JmEnergyBulletin *self, GHashTable *accounts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEnergyBulletin, jm_energy_bulletin_free)

G_END_DECLS
