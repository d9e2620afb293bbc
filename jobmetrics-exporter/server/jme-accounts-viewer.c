/* jme-accounts-viewer.c: what who asks may see of the accounts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-accounts-viewer.h"

#include <unistd.h>

/* A proxy has its secret instead of a password. */
JmeAccess
jme_accounts_choose_access (JmeRequest *request)
{
  if (jme_request_get_peer (request, NULL, NULL))
    return JME_ACCESS_KNOWN;

  return jme_request_get_header (request, JME_IDENTITY_SECRET_HEADER) != NULL
           ? JME_ACCESS_OPEN
           : JME_ACCESS_USERS;
}

JmViewer *
jme_accounts_make_viewer (JmJobStore *store,
                          JmeRequest *request,
                          const char *user,
                          GError **error)
{
  guint uid;

  if (jme_request_get_peer (request, &uid, NULL) && (uid == 0 || uid == geteuid ()))
    return jm_viewer_new_for_all ();

  return jm_job_store_make_viewer (store, user, error);
}
