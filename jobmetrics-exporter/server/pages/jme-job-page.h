/* jme-job-page.h: one run on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/pages/jme-page.h"

G_BEGIN_DECLS

/* All that is known of one run, by any of its uuids; for JmePages. */
void jme_job_page_answer (JmeRequest *request, gpointer pages);

G_END_DECLS
