/* jme-answer.h: an answer from the archive, to somebody who is known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-json-writer-private.h"
#include "server/jme-archive.h"
#include "web/jme-router.h"

G_BEGIN_DECLS

typedef struct _JmeAnswer JmeAnswer;

/* Answers that there is no answer; @answer has a user and a viewer as far as they are
 * known. */
typedef void (*JmeRefuse) (const JmeAnswer *answer, guint status, const char *reason);

/**
 * JmeAnswer:
 * @accounts: where the store is
 * @request: what is answered
 * @store: the archive, for this answer alone
 * @viewer: who asks: what they may see, the store's own queries decide by it
 * @user: (nullable): their name
 * @text: what is said, so far
 * @json: writes to @text
 * @refuse: how an answer says that nothing is
 *
 * One request to the archive that is being answered.
 */
struct _JmeAnswer
{
  JmeArchive *accounts;
  JmeRequest *request;
  JmArchiveDatabase *store;
  JmViewer *viewer;
  char *user;
  GString *text;
  JmJsonWriter json;
  JmeRefuse refuse;
};

/* What each route of the archive has; its handlers are given a JmeArchive. */
#define JME_ANSWER_ROUTE .choose_access = jme_answer_choose_access, .is_slow = TRUE

/* How somebody comes to a page of the archive: who they are is found out there. */
JmeAccess jme_answer_choose_access (JmeRequest *request, gpointer accounts);

/* FALSE for whom nobody knows, and where the archive cannot be read: that is answered.
 */
gboolean jme_answer_begin (JmeAnswer *self, JmeArchive *accounts, JmeRequest *request);

/* The same, where those who ask want to be refused in words of their own. */
gboolean jme_answer_begin_with (JmeAnswer *self,
                                JmeArchive *accounts,
                                JmeRequest *request,
                                JmeRefuse refuse);

/* The same without an answer where it cannot be, for @user, whom it takes; NULL for a
 * stranger, who sees nothing. */
gboolean jme_answer_open (JmeAnswer *self,
                          JmeArchive *accounts,
                          JmeRequest *request,
                          char *user,
                          GError **error);

/* Says @error instead: 400 for `INVALID`, 403 for `DENIED`, 404 for `ABSENT`, else 503,
 * which says no more than that. */
void jme_answer_fail (JmeAnswer *self, const GError *error);

/* Says who is not known why not. */
void jme_answer_refuse (JmeRequest *request, guint status, const char *reason);

void jme_answer_reply (JmeAnswer *self, const char *content_type);
void jme_answer_reply_json (JmeAnswer *self);
void jme_answer_reply_csv (JmeAnswer *self);

/* Sends a table in parts: what has been written goes out while the next part is made.
 * FALSE with `UNAVAILABLE` once the client has gone, or has taken too long. */
gboolean jme_answer_send_csv (JmeAnswer *self, GError **error);

/* Ends a table that was sent in parts. */
void jme_answer_end_csv (JmeAnswer *self);

void jme_answer_clear (JmeAnswer *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmeAnswer, jme_answer_clear)

G_END_DECLS
