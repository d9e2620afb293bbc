/* jme-ceems-query.h: what a client asks for in CEEMS' words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-request.h"

G_BEGIN_DECLS

/* JmeCeemsQuery:
 * @clusters: of these alone
 * @uuids: ids of jobs, or uuids of runs
 * @projects: of these accounts alone
 * @users: of these alone
 * @fields: what is wanted of each
 * @from: seconds since 1970
 * @to: seconds since 1970; both ends are meant
 * @has_window: whether somebody asked for one
 * @running: whether what goes on is wanted too
 * @wants_administrators: whether users are wanted that see all
 * @zone: in which times are told
 *
 * What the query of a request says. A list is NULL where nothing is asked for by it. */
typedef struct
{
  GStrv clusters;
  GStrv uuids;
  GStrv projects;
  GStrv users;
  GStrv fields;
  gint64 from;
  gint64 to;
  gboolean has_window;
  gboolean running;
  gboolean wants_administrators;
  GTimeZone *zone;
} JmeCeemsQuery;

/* Keys that are not known are passed over, as CEEMS does; @window is how long one is that
 * nobody asked for, seconds.
 *
 * - Errors: `INVALID`, with the key and the value. */
gboolean jme_ceems_query_init (JmeCeemsQuery *self,
                               JmeRequest *request,
                               gint64 window,
                               GError **error);

/* Whether a name is one of @names, or any will do. */
gboolean jme_ceems_query_wants (GStrv names, const char *name);

void jme_ceems_query_clear (JmeCeemsQuery *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmeCeemsQuery, jme_ceems_query_clear)

G_END_DECLS
