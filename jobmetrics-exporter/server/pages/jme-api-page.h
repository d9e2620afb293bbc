/* jme-api-page.h: what the server answers programs, for people
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/pages/jme-page.h"

G_BEGIN_DECLS

/* It tells what can be asked, and nothing of any run; for JmePages. */
void jme_api_page_answer (JmeRequest *request, gpointer pages);

G_END_DECLS
