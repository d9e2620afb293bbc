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

/* In this order; the steps' are empty of a job without any. */
typedef enum
{
  JM_SLURMDBD_INDEX,
  JM_SLURMDBD_MOD_TIME,
  JM_SLURMDBD_ID,
  JM_SLURMDBD_ARRAY_JOB,
  JM_SLURMDBD_ARRAY_TASK,
  JM_SLURMDBD_ARRAY_TASKS,
  JM_SLURMDBD_ARRAY_AT_ONCE,
  JM_SLURMDBD_HET_JOB,
  JM_SLURMDBD_HET_OFFSET,
  JM_SLURMDBD_USER,
  JM_SLURMDBD_UID,
  JM_SLURMDBD_ACCOUNT,
  JM_SLURMDBD_PARTITION,
  JM_SLURMDBD_QOS,
  JM_SLURMDBD_STATE,
  JM_SLURMDBD_SUBMIT,
  JM_SLURMDBD_ELIGIBLE,
  JM_SLURMDBD_START,
  JM_SLURMDBD_END,
  JM_SLURMDBD_SUSPENDED,
  JM_SLURMDBD_TIME_LIMIT,
  JM_SLURMDBD_EXIT_CODE,
  JM_SLURMDBD_NODES,
  JM_SLURMDBD_NODE_LIST,
  JM_SLURMDBD_NAME,
  JM_SLURMDBD_ALLOCATED,
  JM_SLURMDBD_REQUESTED,
  JM_SLURMDBD_STEP,
  JM_SLURMDBD_STEP_HET,
  JM_SLURMDBD_STEP_STATE,
  JM_SLURMDBD_STEP_START,
  JM_SLURMDBD_STEP_END,
  JM_SLURMDBD_STEP_NODES,
  JM_SLURMDBD_STEP_TASKS,
  JM_SLURMDBD_STEP_EXIT_CODE,
  JM_SLURMDBD_STEP_USER_SECONDS,
  JM_SLURMDBD_STEP_USER_US,
  JM_SLURMDBD_STEP_SYSTEM_SECONDS,
  JM_SLURMDBD_STEP_SYSTEM_US,
  JM_SLURMDBD_STEP_ENERGY,
  JM_SLURMDBD_STEP_ALLOCATED,
  JM_SLURMDBD_STEP_PEAKS,
} JmSlurmdbdColumn;

#define JM_N_SLURMDBD_COLUMNS (JM_SLURMDBD_STEP_PEAKS + 1)

/* The columns of the views, jobs as `j` and steps as `s`. */
char *jm_slurmdbd_make_columns (void);

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
gint64 jm_slurmdbd_rows_get_last_index (JmSlurmdbdRows *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSlurmdbdRows, jm_slurmdbd_rows_free)

G_END_DECLS
