/* jm-cgroup-slots-private.h: numbers for opened cgroups
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Opened cgroups by number, from 1 on; a number is given again once it is free. */

/* Keeps @cgroup and returns its number. */
static inline guint
jm_cgroup_slots_add (GPtrArray *slots, gpointer cgroup)
{
  guint index;

  if (!g_ptr_array_find (slots, NULL, &index))
    {
      g_ptr_array_add (slots, cgroup);
      return slots->len;
    }

  g_ptr_array_index (slots, index) = cgroup;
  return index + 1;
}

/* The cgroup of a number, or NULL where it is not given. */
static inline gpointer
jm_cgroup_slots_get (GPtrArray *slots, guint number)
{
  return number > 0 && number <= slots->len ? g_ptr_array_index (slots, number - 1)
                                            : NULL;
}

/* Frees a number, and returns its cgroup. */
static inline gpointer
jm_cgroup_slots_take (GPtrArray *slots, guint number)
{
  gpointer cgroup = jm_cgroup_slots_get (slots, number);

  if (cgroup != NULL)
    g_ptr_array_index (slots, number - 1) = NULL;

  return cgroup;
}

G_END_DECLS
