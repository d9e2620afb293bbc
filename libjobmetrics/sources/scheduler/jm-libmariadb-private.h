/* jm-libmariadb-private.h: MariaDB's library, where somebody wants it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <mysql.h>

G_BEGIN_DECLS

/* It is loaded when the first database is opened: no node needs it. A function that is
 * used here is a word. */
#define JM_LIBMARIADB_FUNCTIONS(X)                                                     \
 X (close)                                                                             \
 X (error)                                                                             \
 X (fetch_row)                                                                         \
 X (free_result)                                                                       \
 X (init)                                                                              \
 X (num_fields)                                                                        \
 X (optionsv)                                                                          \
 X (real_connect)                                                                      \
 X (real_query)                                                                        \
 X (use_result)

#define JM_LIBMARIADB_MEMBER(name) __typeof__ (mysql_##name) *call_##name;

/* errno is a macro, and so no word that can be pasted. */
typedef struct
{
  JM_LIBMARIADB_FUNCTIONS (JM_LIBMARIADB_MEMBER)
  unsigned int (*call_errno_) (MYSQL *server);
} JmLibmariadb;

#undef JM_LIBMARIADB_MEMBER

/* Loads it, once for the whole program; never unloaded. NULL with `ABSENT` where it is
 * not installed. */
const JmLibmariadb *jm_libmariadb_get (GError **error);

G_END_DECLS
