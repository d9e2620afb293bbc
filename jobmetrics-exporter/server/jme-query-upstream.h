/* jme-query-upstream.h: the time series database that is asked for others, and what it
 * is asked
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "base/jm-settings-private.h"
#include "web/jme-request.h"

G_BEGIN_DECLS

/* Asks it, in several threads at once. */
typedef struct _JmeQueryUpstream JmeQueryUpstream;

/* What it says, whatever that is. */
typedef struct
{
  guint status;
  char *content_type;
  GBytes *body;
} JmeQueryReply;

void jme_query_upstream_add_settings (JmSettings *settings);

/* Whether there is one. */
gboolean jme_query_upstream_is_set (const JmSettings *settings);

/* Errors: INVALID for a setting; else as jm_secret_read_login(). */
JmeQueryUpstream *jme_query_upstream_new (const JmSettings *settings, GError **error);

void jme_query_upstream_free (JmeQueryUpstream *self);

/* Asks @path with @form, which is posted where @is_posted says so. @reply has to be
 * empty.
 *
 * - Errors: as jm_http_ask(); an answer of any status is none, but `DENIED` says that
 *   it is we who are refused. */
gboolean jme_query_upstream_ask (JmeQueryUpstream *self,
                                 const char *path,
                                 const char *form,
                                 gboolean is_posted,
                                 JmeQueryReply *reply,
                                 GCancellable *cancellable,
                                 GError **error);

void jme_query_reply_clear (JmeQueryReply *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeQueryUpstream, jme_query_upstream_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmeQueryReply, jme_query_reply_clear)

#define JME_QUERY_FORM_QUERY "query"
#define JME_QUERY_FORM_MATCH "match[]"
#define JME_QUERY_FORM_LIMIT "limit"

/* The keys that are known, each once but for `match[]`, whether they stood in the URL
 * or in a form that was posted. */
typedef struct _JmeQueryForm JmeQueryForm;

/* @names is what is known; what else was said is passed over.
 *
 * - Errors: `INVALID` for a key that is there twice, or has a value that is none, and
 * for a body that is no form. */
JmeQueryForm *
jme_query_form_new (JmeRequest *request, const char *const *names, GError **error);

void jme_query_form_free (JmeQueryForm *self);

/* NULL where it is not there. */
const char *jme_query_form_get (JmeQueryForm *self, const char *name);

GStrv jme_query_form_list (JmeQueryForm *self, const char *name);

/* As a URL and a posted form have it; empty where nothing was said. */
char *jme_query_form_encode (JmeQueryForm *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeQueryForm, jme_query_form_free)

G_END_DECLS
