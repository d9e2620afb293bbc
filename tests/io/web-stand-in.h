/* web-stand-in.h: a web server of a test, which answers as the test sets it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _WebStandIn WebStandIn;

typedef enum
{
  WEB_PLAINLY,  /* the whole answer at once */
  WEB_TRICKLE,  /* the head, then a byte now and then, for ever */
  WEB_ENDLESS,  /* the head, then as much as is taken */
  WEB_SILENTLY, /* nothing */
} WebManner;

/* With TLS, it has a certificate of its own making, for localhost. */
WebStandIn *web_stand_in_new (gboolean is_tls);
void web_stand_in_free (WebStandIn *self);

const char *web_stand_in_get_url (WebStandIn *self);
const char *web_stand_in_get_ca_file (WebStandIn *self);

/* From now on, what is asked for @path, up to its query, is answered so. @headers are
 * whole lines that end in \r\n. What was not set is answered by 404. */
void web_stand_in_set (WebStandIn *self,
                       const char *path,
                       const char *status,
                       const char *headers,
                       const char *body);
/* From now on, it is answered by what @func returns for the query, or by 500 for NULL.
 * @func is called in a thread of the server's, one call at a time. */
typedef char *(*WebAnswer) (const char *query, gpointer data);
void web_stand_in_set_answer (WebStandIn *self,
                              const char *path,
                              WebAnswer func,
                              gpointer data);
void web_stand_in_set_manner (WebStandIn *self, const char *path, WebManner manner);

/* From now on, what is not posted and lacks this line in its head is answered by 401;
 * NULL lets all in. */
void web_stand_in_set_key (WebStandIn *self, const char *line);

guint web_stand_in_count (WebStandIn *self, const char *path);

/* The last request's head, with its body. */
char *web_stand_in_get_request (WebStandIn *self, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WebStandIn, web_stand_in_free)

G_END_DECLS
