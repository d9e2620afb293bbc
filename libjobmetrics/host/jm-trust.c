/* jm-trust.c: who can have written a file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-trust-private.h"

#include <errno.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "host/jm-host-private.h"

/* Root of a machine owns its root directory; a copied tree belongs to who copied it. */
gboolean
jm_trust_is_owner (JmHost *host, guint uid, guint owner)
{
  guint tree_uid;

  return uid == 0 || uid == geteuid () || uid == owner ||
         (jm_host_get_owner (host, "/", &tree_uid, NULL) && uid == tree_uid);
}

/* A tree that was copied keeps no groups. */
gboolean
jm_trust_is_writable_by_others (JmHost *host, const struct stat *st)
{
  mode_t others = jm_host_is_live (host) ? S_IWGRP | S_IWOTH : S_IWOTH;

  return (st->st_mode & others) != 0;
}

static char *
find_fault (JmHost *host, const struct stat *st, mode_t kind, guint owner)
{
  if ((st->st_mode & S_IFMT) != kind)
    return g_strdup_printf ("not an ordinary file: mode %o", st->st_mode);
  if (!jm_trust_is_owner (host, st->st_uid, owner))
    return g_strdup_printf ("not trusted: owned by uid %u", st->st_uid);
  if (jm_trust_is_writable_by_others (host, st))
    return g_strdup_printf ("not trusted: others may write it: mode %04o",
                            st->st_mode & 07777);

  return NULL;
}

gboolean
jm_trust_check (JmHost *host,
                const struct stat *st,
                mode_t kind,
                guint owner,
                const char *path,
                GError **error)
{
  g_autofree char *fault = find_fault (host, st, kind, owner);

  if (fault != NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_DENIED, "%s: %s", path, fault);

  return fault == NULL;
}

gboolean
jm_trust_check_fd (JmHost *host,
                   int fd,
                   mode_t kind,
                   guint owner,
                   const char *path,
                   GError **error)
{
  struct stat st;

  if (fstat (fd, &st) == 0)
    return jm_trust_check (host, &st, kind, owner, path, error);

  jm_path_error_set_errno (error, path, errno);

  return FALSE;
}
