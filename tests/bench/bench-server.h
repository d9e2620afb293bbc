/* bench-server.h: a server of a site's archive, asked over its local socket
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _BenchServer BenchServer;

/* Starts @program for the archive, with a socket in @directory, and waits until it
 * answers. */
BenchServer *
bench_server_new (const char *program, const char *store, const char *directory);
void bench_server_free (BenchServer *self);

/* Asks over a connection of its own, as the server closes each; returns the size of the
 * answer in bytes. */
gsize bench_server_ask (BenchServer *self, const char *path);

G_END_DECLS
