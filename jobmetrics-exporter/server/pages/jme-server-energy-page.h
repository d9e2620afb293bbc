/* jme-server-energy-page.h: energy and carbon on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/pages/jme-page.h"

G_BEGIN_DECLS

/* Joules and grams by day, account and user, and who told the factors; for JmePages. */
void jme_server_energy_page_answer (JmeRequest *request, gpointer pages);

G_END_DECLS
