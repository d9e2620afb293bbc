/* jme-ceems-router.h: all that is answered in the words of CEEMS, and of what came
 * before it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-ceems-site.h"
#include "web/jme-web-server.h"

G_BEGIN_DECLS

/* @site outlives the server. */
void jme_ceems_router_add (JmeWebServer *server, JmeCeemsSite *site);

G_END_DECLS
