/* jme-user.c: users of this machine
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-user.h"

#include <pwd.h>

/* More than any name service needs for one user. */
#define USER_BYTES (64 * 1024)

char *
jme_user_find_name (guint uid, gid_t *gid)
{
  g_autofree char *buffer = g_malloc (USER_BYTES);
  struct passwd entry, *found = NULL;

  if (getpwuid_r (uid, &entry, buffer, USER_BYTES, &found) != 0 || found == NULL)
    return NULL;

  if (gid != NULL)
    *gid = entry.pw_gid;

  return g_strdup (entry.pw_name);
}
