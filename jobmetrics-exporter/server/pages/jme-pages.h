/* jme-pages.h: the pages of the server
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/pages/jme-page.h"

G_BEGIN_DECLS

/* Each for somebody who is known; for JmePages. */
extern const JmeRoute jme_pages_routes[];

/* All accounts by name, and what one of them had; for JmePages. */
void jme_archive_page_answer (JmeRequest *request, gpointer pages);
void jme_account_page_answer (JmeRequest *request, gpointer pages);

/* What was read when, and what is amiss; for JmePages. */
void jme_admin_page_answer (JmeRequest *request, gpointer pages);

/* It tells what can be asked, and nothing of any run; for JmePages. */
void jme_api_page_answer (JmeRequest *request, gpointer pages);

/* All that is known of one run, by any of its uuids; for JmePages. */
void jme_job_page_answer (JmeRequest *request, gpointer pages);

/* Runs by id, uuid, user, account or name; for JmePages. */
void jme_search_page_answer (JmeRequest *request, gpointer pages);

/* Nodes by their own states, partitions and reservations; for JmePages. */
void jme_server_cluster_page_answer (JmeRequest *request, gpointer pages);

/* Joules and grams by day, account and user, and who told the factors; for JmePages. */
void jme_server_energy_page_answer (JmeRequest *request, gpointer pages);

G_END_DECLS
