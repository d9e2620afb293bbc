/* jme-role.c: what a daemon is there for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "daemon/jme-role.h"

/**
 * jme_role_find:
 * @roles: (array length=n_roles): the roles that there are
 * @n_roles: how many
 * @name: one's name
 *
 * Returns: (nullable): the role of that name
 */
const JmeRole *
jme_role_find (const JmeRole *const *roles, gsize n_roles, const char *name)
{
  for (gsize i = 0; i < n_roles; i++)
    if (g_str_equal (roles[i]->name, name))
      return roles[i];

  return NULL;
}

/**
 * jme_role_list:
 * @roles: (array length=n_roles): the roles that there are, of which the first is taken
 *   where none is named
 * @n_roles: how many
 *
 * Returns: (transfer full): a line for each
 */
char *
jme_role_list (const JmeRole *const *roles, gsize n_roles)
{
  GString *list = g_string_new (NULL);

  for (gsize i = 0; i < n_roles; i++)
    g_string_append_printf (list, "  %-8s %s%s\n", roles[i]->name, roles[i]->summary,
                            i == 0 ? " (the default)" : "");

  return g_string_free (list, FALSE);
}
