/* jme-access.h: who may ask for what
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

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
 * NULL. @reason is what one who is refused is told. */
JmeEntry jme_access_decide (JmeAccess access,
                            const JmePeer *peer,
                            const JmeWebConfig *config,
                            const char **reason);

/* Whether a browser sends a request that may change something on behalf of a page of
 * another site, with the password that its user gave to this one. */
gboolean jme_access_is_cross_site (JmeRequest *request, gboolean is_tls);

G_END_DECLS
