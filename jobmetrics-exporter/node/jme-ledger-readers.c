/* jme-ledger-readers.c: which users of this machine may read everybody's records
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-ledger-readers.h"

#include <grp.h>
#include <unistd.h>

#include "web/jme-user.h"

/* More than any name service needs for a group of thousands. */
#define GROUP_BYTES (1024 * 1024)
#define MAX_GROUPS 65536

static gboolean
find_group (const char *name, gid_t *gid)
{
  g_autofree char *buffer = g_malloc (GROUP_BYTES);
  struct group entry, *found = NULL;

  if (getgrnam_r (name, &entry, buffer, GROUP_BYTES, &found) != 0 || found == NULL)
    return FALSE;

  *gid = entry.gr_gid;

  return TRUE;
}

static gboolean
is_member (const char *user, gid_t own, const char *name)
{
  g_autofree gid_t *groups = g_new (gid_t, MAX_GROUPS);
  int n_groups = MAX_GROUPS;
  gid_t gid;

  if (!find_group (name, &gid) || getgrouplist (user, own, groups, &n_groups) < 0)
    return FALSE;

  for (int i = 0; i < n_groups; i++)
    if (groups[i] == gid)
      return TRUE;

  return FALSE;
}

gboolean
jme_ledger_readers_have (const char *list, guint uid)
{
  g_auto (GStrv) words = list != NULL ? g_strsplit (list, ",", -1) : NULL;
  g_autofree char *number = g_strdup_printf ("%u", uid);
  gid_t gid = 0;
  g_autofree char *name =
    words != NULL && words[0] != NULL ? jme_user_find_name (uid, &gid) : NULL;

  for (char **word = words; word != NULL && *word != NULL; word++)
    {
      const char *reader = g_strstrip (*word);

      if (*reader == '@'
            ? name != NULL && is_member (name, gid, reader + 1)
            : g_str_equal (reader, number) || g_strcmp0 (reader, name) == 0)
        return TRUE;
    }

  return FALSE;
}
