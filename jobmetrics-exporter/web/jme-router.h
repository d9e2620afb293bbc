/* jme-router.h: what is served at which path, how, and to whom
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-request.h"

G_BEGIN_DECLS

/**
 * JmeHandler:
 * @request: a request; referenced by a handler that answers later
 * @user_data: as given with the routes
 *
 * Answers a request by jme_request_reply(), now or later, in the server's thread. That
 * of a slow route answers before it returns, in a thread of its own.
 */
typedef void (*JmeHandler) (JmeRequest *request, gpointer user_data);

/**
 * JmeMethods:
 * @JME_METHOD_GET: GET, and HEAD
 * @JME_METHOD_POST: POST
 * @JME_METHOD_PUT: PUT
 * @JME_METHOD_DELETE: DELETE
 *
 * How a path may be asked for.
 */
typedef enum
{
  JME_METHOD_GET = 1 << 0,
  JME_METHOD_POST = 1 << 1,
  JME_METHOD_PUT = 1 << 2,
  JME_METHOD_DELETE = 1 << 3,
} JmeMethods;

/**
 * JmeAccess:
 * @JME_ACCESS_USERS: whoever web.yml lets in
 * @JME_ACCESS_OPEN: everybody who can connect, for what shows nothing
 * @JME_ACCESS_LOCAL_ROOT: over the local socket alone, root and whom the daemon runs as
 * @JME_ACCESS_KNOWN: every user of this machine over the local socket, and whoever
 *   web.yml knows; none where it asks nobody who he is
 *
 * Who may ask for a path.
 */
typedef enum
{
  JME_ACCESS_USERS,
  JME_ACCESS_OPEN,
  JME_ACCESS_LOCAL_ROOT,
  JME_ACCESS_KNOWN,
} JmeAccess;

/**
 * JmeRoute:
 * @path: a path, such as `/metrics`
 * @is_prefix: whether paths that begin with it are meant too; it then ends in a slash.
 *   The longest prefix is taken, and an exact path before any
 * @methods: how it may be asked for; 0 for GET and HEAD alone
 * @access: who may
 * @choose_access: (nullable): who may, where that hangs on the request: it then counts,
 *   and not @access
 * @max_body_bytes: how long a request's body may be, else it is answered with 413; 0
 *   where none is wanted, and what comes is not kept
 * @is_slow: whether @handler takes its time, and so runs in a thread of its own: there
 *   it may use its request, and whatever else is made for several threads
 * @asks_others: whether a slow @handler may wait for another server: it has a thread of
 *   those that do, so that other pages wait for none of them
 * @handler: answers
 *
 * What the server does with a path: all of it stands in the declaration.
 */
typedef struct
{
  const char *path;
  gboolean is_prefix;
  JmeMethods methods;
  JmeAccess access;
  JmeAccess (*choose_access) (JmeRequest *request, gpointer user_data);
  gsize max_body_bytes;
  gboolean is_slow;
  gboolean asks_others;
  JmeHandler handler;
} JmeRoute;

/* A route, and whom its handler works for. */
typedef struct
{
  const JmeRoute *route;
  gpointer user_data;
} JmeDestination;

typedef struct _JmeRouter JmeRouter;

JmeRouter *jme_router_new (void);

void jme_router_free (JmeRouter *self);

/* Adds @routes, which live as long as the router, up to one without a path. */
void jme_router_add (JmeRouter *self, const JmeRoute *routes, gpointer user_data);

/* NULL where nothing is served. */
const JmeDestination *jme_router_find (JmeRouter *self, const char *path);

/* Whether a route takes a method. */
gboolean jme_route_allows (const JmeRoute *route, const char *method);

/* The methods that a route takes, as the header `Allow` has them. */
char *jme_route_list_methods (const JmeRoute *route);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeRouter, jme_router_free)

G_END_DECLS
