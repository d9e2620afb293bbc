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

G_END_DECLS
