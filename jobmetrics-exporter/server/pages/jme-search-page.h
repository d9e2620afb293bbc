/* jme-search-page.h: what is found, on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/pages/jme-page.h"

G_BEGIN_DECLS

/* Runs by id, uuid, user, account or name; for JmePages. */
void jme_search_page_answer (JmeRequest *request, gpointer pages);

G_END_DECLS
