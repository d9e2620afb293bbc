/* jme-login.h: who is let in, and by which password
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "web/jme-request.h"
#include "web/jme-router.h"
#include "web/jme-web-client.h"
#include "web/jme-web-config.h"

G_BEGIN_DECLS

/* JmeEntry:
 * @JME_ENTRY_FREE: let in
 * @JME_ENTRY_LOGIN: let in with a name and a password
 * @JME_ENTRY_REFUSED: not let in, whoever it is
 *
 * What a client comes upon at a route. */
typedef enum
{
  JME_ENTRY_FREE,
  JME_ENTRY_LOGIN,
  JME_ENTRY_REFUSED,
} JmeEntry;

/* What somebody comes upon who is @peer on the local socket, or comes over another with
 * NULL. @reason is what one who is refused is shown. */
JmeEntry jme_access_decide (JmeAccess access,
                            const JmePeer *peer,
                            const JmeWebConfig *config,
                            const char **reason);

/* Whether a browser sends a request that may change something on behalf of a page of
 * another site, with the password that its user gave to this one. */
gboolean jme_access_is_cross_site (JmeRequest *request, gboolean is_tls);

/**
 * JmeVerdict:
 * @JME_VERDICT_GRANTED: a user with the right password
 * @JME_VERDICT_REFUSED: none, or a wrong one
 * @JME_VERDICT_BUSY: too many passwords wait to be checked
 * @JME_VERDICT_PENDING: being checked; the callback will say
 */
typedef enum
{
  JME_VERDICT_GRANTED,
  JME_VERDICT_REFUSED,
  JME_VERDICT_BUSY,
  JME_VERDICT_PENDING,
} JmeVerdict;

/**
 * JmeApplicant:
 * @authorization: (nullable): the request's `Authorization` header
 * @peer: where the request comes from
 * @cancellable: (nullable): cancelled when nobody waits for the verdict any more
 *
 * Who wants to come in.
 */
typedef struct
{
  const char *authorization;
  const char *peer;
  GCancellable *cancellable;
} JmeApplicant;

typedef void (*JmeVerdictCallback) (JmeVerdict verdict, gpointer user_data);

#define JME_TYPE_BASIC_AUTH (jme_basic_auth_get_type ())
G_DECLARE_FINAL_TYPE (JmeBasicAuth, jme_basic_auth, JME, BASIC_AUTH, GObject)

JmeBasicAuth *jme_basic_auth_new (void);

/* Splits `Basic base64(user:password)`. The caller wipes the password; FALSE: none is
 * set. */
gboolean jme_basic_auth_parse_header (const char *header, char **user, char **password);

JmeVerdict jme_basic_auth_check (JmeBasicAuth *self,
                                 GHashTable *users,
                                 const JmeApplicant *applicant,
                                 JmeVerdictCallback callback,
                                 gpointer user_data);

/* Called for a request whose user is let in. */
typedef void (*JmeAdmitted) (GObject *server, JmeRequest *request);

/* Calls @admitted, now or when the password has been looked at, or answers the request
 * with 401 or 503. @users, bcrypt hashes by their names, are not empty. @server is kept
 * until then. */
void jme_login_check (JmeBasicAuth *auth,
                      GHashTable *users,
                      JmeRequest *request,
                      JmeAdmitted admitted,
                      GObject *server);

G_END_DECLS
