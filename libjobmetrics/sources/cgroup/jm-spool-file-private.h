/* jm-spool-file-private.h: what a scheduler writes in its spool directories
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/* A spool directory is its scheduler's, which may run as a user of its own: @admin is
 * then that user, else root. Each directory on the way to @path must be root's or
 * theirs, and nobody else's to write, for else others could have put it there. */
gboolean
jm_spool_check_directory (JmHost *host, const char *path, guint *admin, GError **error);

/* Reads an ordinary file of at most @max bytes that only root or @admin can have
 * written. @moment is when that was: nanoseconds, and what else distinguishes it from
 * one of before; it may be NULL. A NUL stands behind the text. */
char *jm_spool_read_file (JmHost *host,
                          const char *path,
                          guint admin,
                          gsize max,
                          gsize *length,
                          guint64 *moment,
                          GError **error);

/* The number of a group, and a line feed. A job never gets one of the system's own. */
gboolean jm_spool_parse_group (const char *text, gsize length, guint *group);

/* Lines `ru_utime=SECONDS` and `ru_stime=SECONDS` among others: what was waited for. */
gboolean jm_spool_parse_usage (const char *text,
                               gsize length,
                               guint64 *user_ns,
                               guint64 *system_ns);

/* Lines `HOST SLOTS QUEUE ...`: what the scheduler granted on the host of that name,
 * all
 * queues together; of a job on one host alone, whatever that is called. @node_name may
 * be NULL. */
gboolean jm_spool_parse_slots (const char *text,
                               gsize length,
                               const char *node_name,
                               guint *n_slots);

G_END_DECLS
