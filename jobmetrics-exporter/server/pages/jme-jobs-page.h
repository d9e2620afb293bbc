/* jme-jobs-page.h: runs on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/pages/jme-page.h"

G_BEGIN_DECLS

/* Those of who asks, and those that they may see; for JmePages. */
void jme_own_jobs_page_answer (JmeRequest *request, gpointer pages);
void jme_jobs_page_answer (JmeRequest *request, gpointer pages);

/* A table of runs with the columns @chosen, of JmQuantity or NULL, without the user
 * where they are all of one. Its titles put the page that @request asks for into
 * another order; NULL where it has one of its own. */
void jme_jobs_page_append_runs (GString *out,
                                JmeRequest *request,
                                GPtrArray *chosen,
                                GPtrArray *runs,
                                const char *caption,
                                gboolean has_user);

G_END_DECLS
