/* jme-workers.h: threads for handlers that take their time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-router.h"

G_BEGIN_DECLS

typedef struct _JmeWorkers JmeWorkers;

/* At most @max_threads at once; they begin with the first work. One of them is left for
 * others, however much one user asks. Where a proxy names users, it does so in
 * @user_header, which may be NULL. */
JmeWorkers *jme_workers_new (guint max_threads, const char *user_header);

/* Waits until all work is done. */
void jme_workers_free (JmeWorkers *self);

/* Lets the handler of @destination answer @request in a thread. Its answer goes out in
 * the caller's main context. Users have their turns one after the other.
 *
 * Returns: FALSE where this user has asked for too much already */
gboolean jme_workers_push (JmeWorkers *self,
                           const JmeDestination *destination,
                           JmeRequest *request);

G_END_DECLS
