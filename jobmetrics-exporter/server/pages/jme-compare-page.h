/* jme-compare-page.h: runs side by side on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/pages/jme-page.h"

G_BEGIN_DECLS

/* The key of each run that is compared, as in `?run=UUID&run=UUID`. */
#define JME_COMPARE_KEY "run"

/* Two to six runs that somebody may see; for JmePages. */
void jme_compare_page_answer (JmeRequest *request, gpointer pages);

G_END_DECLS
