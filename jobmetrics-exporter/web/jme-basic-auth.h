/* jme-basic-auth.h: who may come in, by name and password
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * JmeVerdict:
 * @JME_VERDICT_GRANTED: a user with the right password
 * @JME_VERDICT_REFUSED: none, or a wrong one
 * @JME_VERDICT_BUSY: too many passwords wait to be checked
 * @JME_VERDICT_PENDING: being checked; the callback will tell
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
 * @peer: whence the request comes
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

G_END_DECLS
