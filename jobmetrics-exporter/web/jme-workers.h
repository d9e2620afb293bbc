/* jme-workers.h: threads for handlers that take their time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-identity.h"
#include "web/jme-router.h"

G_BEGIN_DECLS

/* Threads for work that waits for other programs more than it computes. */
#define JME_WORKERS_MAX_THREADS 24
#define JME_WORKERS_MAX_OF_USER 3
#define JME_WORKERS_BUDGET_MS (60 * 1000)

typedef struct _JmeWorkers JmeWorkers;

/* What bounds them, and answers what is too much. */
typedef struct
{
  guint max_threads;
  guint max_of_user; /* threads: the others are left for others */
  guint budget_ms;   /* after which a work is stopped */
  /* whom it is for; NULL where web.yml's passwords alone distinguish users */
  const JmeIdentityConfig *identity;
  void (*refuse) (JmeRequest *request);
} JmeWorkersPlan;

/* The threads begin with the first work. */
JmeWorkers *jme_workers_new (const JmeWorkersPlan *plan);

/* Drops what nobody has begun, and waits for the rest. */
void jme_workers_free (JmeWorkers *self);

/* Lets the handler of @destination answer @request in a thread. Its answer goes out in
 * the caller's main context. Users have their turns one after the other. A user who has
 * asked for too much already is refused; where all together have, whoever has asked for
 * most is.
 *
 * The request's cancellable is cancelled when its client has gone, when its time is up,
 * and when all threads are taken and its user has most of them while another has none:
 * however many users ask for what hangs, the next one is served at once. */
void jme_workers_push (JmeWorkers *self,
                       const JmeDestination *destination,
                       JmeRequest *request);

G_END_DECLS
