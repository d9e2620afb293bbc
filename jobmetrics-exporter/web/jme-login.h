/* jme-login.h: who is let in by a password, and what others are answered
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-basic-auth.h"
#include "web/jme-request.h"

G_BEGIN_DECLS

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
