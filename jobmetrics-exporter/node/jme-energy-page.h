/* jme-energy-page.h: energy of the node and its parts on the node's page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/* The node: its sources, what the system and nobody used, and what it was reckoned
 * with. Nothing for a node without a meter; no power of parts without the snapshot
 * before, which may be NULL. */
void jme_energy_page_append (GString *out, JmSnapshot *before, JmSnapshot *snapshot);

G_END_DECLS
