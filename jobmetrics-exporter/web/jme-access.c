/* jme-access.c: who may ask for what
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-login.h"
#include "web/jme-tls-config.h"

#include <string.h>

#define FOR_ROOT "403: over the local socket this is for root alone\n"
#define FOR_LOCAL_ROOT                                                                 \
 "403: this is for root alone, over the local socket (--web.local-socket)\n"
#define FOR_KNOWN                                                                      \
 "403: this needs authentication: write basic_auth_users, or "                         \
 "client_auth_type: RequireAndVerifyClientCert, into the file of "                     \
 "--web.config.file; or ask over the local socket (--web.local-socket)\n"

static JmeEntry
refuse (const char *text, const char **reason)
{
  *reason = text;

  return JME_ENTRY_REFUSED;
}

static gboolean
knows_certificates (const JmeWebConfig *config)
{
  JmeClientAuth auth = config->tls.client_auth;

  return config->tls.line != 0 && jme_client_auth_requires (auth) &&
         jme_client_auth_verifies (auth);
}

static JmeEntry
decide_for_peer (JmeAccess access, const JmePeer *peer, const char **reason)
{
  if (access == JME_ACCESS_OPEN || access == JME_ACCESS_KNOWN ||
      jme_peer_is_trusted (peer))
    return JME_ENTRY_FREE;

  /* What web.yml guards against others is not shown here to whoever is on the node. */
  return refuse (FOR_ROOT, reason);
}

JmeEntry
jme_access_decide (JmeAccess access,
                   const JmePeer *peer,
                   const JmeWebConfig *config,
                   const char **reason)
{
  gboolean has_users = g_hash_table_size (config->users) > 0;

  if (peer != NULL)
    return decide_for_peer (access, peer, reason);

  switch (access)
    {
    case JME_ACCESS_OPEN:
      return JME_ENTRY_FREE;
    case JME_ACCESS_LOCAL_ROOT:
      return refuse (FOR_LOCAL_ROOT, reason);
    case JME_ACCESS_KNOWN:
      if (!has_users && !knows_certificates (config))
        return refuse (FOR_KNOWN, reason);
      break;
    case JME_ACCESS_USERS:
    default:
      break;
    }

  return has_users ? JME_ENTRY_LOGIN : JME_ENTRY_FREE;
}

/* A proxy in front may speak TLS where this server does not. */
static gboolean
is_own_origin (const char *origin, const char *host, gboolean is_tls)
{
  gsize length = strspn (origin, G_CSET_a_2_z);
  g_autofree char *scheme = g_strndup (origin, length);

  return (g_str_equal (scheme, "https") || (g_str_equal (scheme, "http") && !is_tls)) &&
         g_str_has_prefix (origin + length, "://") && host != NULL &&
         g_ascii_strcasecmp (origin + length + strlen ("://"), host) == 0;
}

/* Browsers send Sec-Fetch-Site over TLS, and Origin else; other programs send neither.
 */
gboolean
jme_access_is_cross_site (JmeRequest *request, gboolean is_tls)
{
  const char *method = jme_request_get_method (request);
  const char *site = jme_request_get_header (request, "Sec-Fetch-Site");
  const char *origin = jme_request_get_header (request, "Origin");

  if (g_str_equal (method, "GET") || g_str_equal (method, "HEAD"))
    return FALSE;
  if (site != NULL)
    return !g_str_equal (site, "same-origin") && !g_str_equal (site, "none");

  return origin != NULL &&
         !is_own_origin (origin, jme_request_get_header (request, "Host"), is_tls);
}
