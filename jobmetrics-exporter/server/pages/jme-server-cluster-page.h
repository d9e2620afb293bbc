/* jme-server-cluster-page.h: what schedulers tell now, on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/pages/jme-page.h"

G_BEGIN_DECLS

/* Nodes by their own states, partitions and reservations; for JmePages. */
void jme_server_cluster_page_answer (JmeRequest *request, gpointer pages);

G_END_DECLS
