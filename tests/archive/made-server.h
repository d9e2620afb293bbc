/* made-server.h: databases for a test: files, and those of a server of its own
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A PostgreSQL server that nobody else can reach, and that ends with the test. NULL
 * where it cannot be, with the reason. */
typedef struct _MadeServer MadeServer;

MadeServer *made_server_start (const char **reason);
void made_server_stop (MadeServer *self);

/* The URI of a new, empty database. */
char *made_server_add_database (MadeServer *self);

G_END_DECLS
