/* jme-ceems-router.c: all that is answered in the words of CEEMS, and of what came
 * before it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-ceems-router.h"

#include "server/jme-batchjob.h"
#include "server/jme-ceems-people.h"
#include "server/jme-ceems-stats.h"
#include "server/jme-ceems-units.h"
#include "server/jme-ceems-usage.h"

void
jme_ceems_router_add (JmeWebServer *server, JmeCeemsSite *site)
{
  jme_web_server_add_routes (server, jme_ceems_units_routes, site);
  jme_web_server_add_routes (server, jme_ceems_usage_routes, site);
  jme_web_server_add_routes (server, jme_ceems_people_routes, site);
  jme_web_server_add_routes (server, jme_ceems_stats_routes, site);
  jme_web_server_add_routes (server, jme_batchjob_routes, site);
}
