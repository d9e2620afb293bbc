/* jme-server-page.h: what the server answers, for people
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* It tells what can be asked, and nothing of any run. */
GBytes *jme_server_page_render (void);

G_END_DECLS
