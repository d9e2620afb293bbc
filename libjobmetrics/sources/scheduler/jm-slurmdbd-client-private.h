/* jm-slurmdbd-client-private.h: a MariaDB that is asked, within bounds
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Columns as text, NULL where there is no value. */
typedef void (*JmSlurmdbdRowFunc) (const char *const *columns, gpointer data);

/* All texts stay the caller's. */
typedef struct
{
  const char *host;
  guint port;
  const char *socket;
  const char *database;
  const char *user;
  const char *password; /* NULL for none */
  const char *ca_file;  /* NULL for no TLS */
  guint timeout;        /* seconds, of each wait for the server */
} JmSlurmdbdAddress;

typedef struct _JmSlurmdbdClient JmSlurmdbdClient;

/* Errors: `ABSENT` where this build, or this machine, has no MariaDB; `DENIED` for whom
 * the server does not let in; else `UNAVAILABLE`. */
JmSlurmdbdClient *jm_slurmdbd_client_new (const JmSlurmdbdAddress *address,
                                          GError **error);
void jm_slurmdbd_client_free (JmSlurmdbdClient *self);

/* Asks, and hands on row after row; `MALFORMED` where they have not @n_columns. */
gboolean jm_slurmdbd_client_ask (JmSlurmdbdClient *self,
                                 const char *sql,
                                 guint n_columns,
                                 JmSlurmdbdRowFunc func,
                                 gpointer data,
                                 GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSlurmdbdClient, jm_slurmdbd_client_free)

G_END_DECLS
