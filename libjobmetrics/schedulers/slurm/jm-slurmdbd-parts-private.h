/* jm-slurmdbd-parts-private.h: a client of its database, and its rows
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "schedulers/slurm/jm-sacct-rows-private.h"

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

/* How many columns are asked for. */
guint jm_slurmdbd_count_columns (void);

/* The columns of the views, jobs as `j` and steps as `s`: the latter are empty of a job
 * without any. */
char *jm_slurmdbd_make_columns (gboolean has_sluid);

typedef struct _JmSlurmdbdRows JmSlurmdbdRows;

/* @now is that of the server; both others stay the caller's. @tres has the names of
 * what Slurm counts, `gres/gpu`, by their numbers. */
JmSlurmdbdRows *jm_slurmdbd_rows_new (JmSacctRows *rows, GHashTable *tres, gint64 now);
void jm_slurmdbd_rows_free (JmSlurmdbdRows *self);

/* Those of one job stand behind each other. A #JmSlurmdbdRowFunc. */
void jm_slurmdbd_rows_take (const char *const *columns, gpointer self);
void jm_slurmdbd_rows_finish (JmSlurmdbdRows *self);

/* How many jobs there were, and of the last when it changed and which it is. */
guint jm_slurmdbd_rows_get_n_jobs (JmSlurmdbdRows *self);
gint64 jm_slurmdbd_rows_get_last_time (JmSlurmdbdRows *self);
guint64 jm_slurmdbd_rows_get_last_index (JmSlurmdbdRows *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSlurmdbdRows, jm_slurmdbd_rows_free)

G_END_DECLS
