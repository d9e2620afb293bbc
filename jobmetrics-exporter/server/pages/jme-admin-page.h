/* jme-admin-page.h: whether all is well, on a page for administrators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/pages/jme-page.h"

G_BEGIN_DECLS

/* What was read when, and what is amiss; for JmePages. */
void jme_admin_page_answer (JmeRequest *request, gpointer pages);

G_END_DECLS
