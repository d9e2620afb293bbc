/* jme-energy-page.h: what the node's page tells of energy
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/* The cells of one job: power, energy, grams. */
void jme_energy_page_append_header (GString *out);
void jme_energy_page_append_job (GString *out, JmSnapshot *snapshot, guint subject);

/* The node: its sources, what the system and nobody used, and what it was reckoned
 * with. Nothing for a node without a meter. */
void jme_energy_page_append_node (GString *out, JmSnapshot *snapshot);

G_END_DECLS
