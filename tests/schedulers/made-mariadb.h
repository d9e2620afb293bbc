/* made-mariadb.h: a MariaDB of a test
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A server that nobody else can reach, and that ends with the test. NULL where it
 * cannot be, with the reason. */
typedef struct _MadeMariadb MadeMariadb;

MadeMariadb *made_mariadb_start (const char **reason);
void made_mariadb_free (MadeMariadb *self);

/* As if the power failed; and once it is back. */
void made_mariadb_kill (MadeMariadb *self);
void made_mariadb_restart (MadeMariadb *self);

const char *made_mariadb_get_socket (MadeMariadb *self);

/* As its administrator; @sql is what the program mariadb takes. */
void made_mariadb_run (MadeMariadb *self, const char *sql);

G_END_DECLS
