/* jm-libpq-private.h: PostgreSQL's library, where somebody wants it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <libpq-fe.h>

G_BEGIN_DECLS

/* It brings a dozen others with it, which no node and no command needs: so it is loaded
 * when the first database is opened. A function that is used here is a word. */
#define JM_LIBPQ_FUNCTIONS(X)                                                          \
 X (clear)                                                                             \
 X (cmdStatus)                                                                         \
 X (cmdTuples)                                                                         \
 X (connectPoll)                                                                       \
 X (connectStartParams)                                                                \
 X (db)                                                                                \
 X (errorMessage)                                                                      \
 X (exec)                                                                              \
 X (execParams)                                                                        \
 X (execPrepared)                                                                      \
 X (finish)                                                                            \
 X (getResult)                                                                         \
 X (getisnull)                                                                         \
 X (getvalue)                                                                          \
 X (host)                                                                              \
 X (ntuples)                                                                           \
 X (prepare)                                                                           \
 X (reset)                                                                             \
 X (resultErrorField)                                                                  \
 X (resultErrorMessage)                                                                \
 X (resultStatus)                                                                      \
 X (sendQueryPrepared)                                                                 \
 X (socket)                                                                            \
 X (status)                                                                            \
 X (transactionStatus)

/* Since its version 14; Enterprise Linux 9 has 13. Where one is NULL, all are. */
#define JM_LIBPQ_PIPELINES(X)                                                          \
 X (enterPipelineMode)                                                                 \
 X (exitPipelineMode)                                                                  \
 X (pipelineStatus)                                                                    \
 X (pipelineSync)

#define JM_LIBPQ_MEMBER(name) __typeof__ (PQ##name) *name;

typedef struct
{
  JM_LIBPQ_FUNCTIONS (JM_LIBPQ_MEMBER)
  JM_LIBPQ_PIPELINES (JM_LIBPQ_MEMBER)
} JmLibpq;

#undef JM_LIBPQ_MEMBER

/* Loads it, once for the whole program; never unloaded. NULL with `ABSENT` where it is
 * not installed. */
const JmLibpq *jm_libpq_get (GError **error);

G_END_DECLS
