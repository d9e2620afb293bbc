/* jme-query-form.h: what a question to a time series database says
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-request.h"

G_BEGIN_DECLS

#define JME_QUERY_FORM_QUERY "query"
#define JME_QUERY_FORM_MATCH "match[]"

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
