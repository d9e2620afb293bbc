/* jm-node-list-private.h: names of nodes that share their beginnings
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The names in `node[1-4,7],gpu[01-10],login`, as Slurm writes them, in their order;
 * NULL where it breaks its form, or has more than @max of them. */
char **jm_node_list_expand (const char *text, guint max);

/* The name of a node in small letters, without its domain; of an address all of it. */
char *jm_node_name_shorten (const char *name);

G_END_DECLS
