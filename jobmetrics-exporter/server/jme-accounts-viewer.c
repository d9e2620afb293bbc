/* jme-accounts-viewer.c: what who asks may see of the accounts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-accounts-viewer.h"

#include <pwd.h>
#include <unistd.h>

#include "core/jm-error.h"

/* More than any name service needs for one user. */
#define USER_BYTES (64 * 1024)

static char *
find_name (guint uid)
{
  g_autofree char *buffer = g_malloc (USER_BYTES);
  struct passwd entry, *found = NULL;

  if (getpwuid_r (uid, &entry, buffer, USER_BYTES, &found) != 0 || found == NULL)
    return NULL;

  return g_strdup (entry.pw_name);
}

JmViewer *
jme_accounts_find_viewer (JmJobStore *store, JmeRequest *request, GError **error)
{
  g_autofree char *name = NULL;
  guint uid;

  if (!jme_request_get_peer (request, &uid, NULL))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_DENIED,
                   "the accounts are shown over the local socket alone");
      return NULL;
    }
  if (uid == 0 || uid == geteuid ())
    return jm_viewer_new_for_all ();

  name = find_name (uid);
  if (name != NULL)
    return jm_job_store_make_viewer (store, name, error);
  g_set_error (error, JM_ERROR, JM_ERROR_DENIED, "user %u: no name is known", uid);

  return NULL;
}
