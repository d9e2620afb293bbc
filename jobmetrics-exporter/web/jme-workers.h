/* jme-workers.h: threads for handlers that take their time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-router.h"

G_BEGIN_DECLS

/* Of work that waits for another server, which takes time and no CPU. Four users may
 * have as much as they can before a fifth waits. */
#define JME_WORKERS_MAX_ASKING 12
#define JME_WORKERS_MAX_ASKING_OF_USER 3

typedef struct _JmeWorkers JmeWorkers;

/* What bounds them, and answers what is too much. */
typedef struct
{
  guint max_threads;
  guint max_of_user;       /* threads: the others are left for others */
  const char *user_header; /* in which a proxy names users; NULL for none */
  void (*refuse) (JmeRequest *request);
} JmeWorkersPlan;

/* The threads begin with the first work. */
JmeWorkers *jme_workers_new (const JmeWorkersPlan *plan);

/* Drops what nobody has begun, and waits for the rest. */
void jme_workers_free (JmeWorkers *self);

/* Lets the handler of @destination answer @request in a thread. Its answer goes out in
 * the caller's main context. Users have their turns one after the other. A user who has
 * asked for too much already is refused; where all together have, whoever has asked for
 * most is. */
void jme_workers_push (JmeWorkers *self,
                       const JmeDestination *destination,
                       JmeRequest *request);

G_END_DECLS
