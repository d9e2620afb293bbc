/* jm-write-sender-private.h: sends what waits on disk, in order
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "expose/jm-remote-writer-private.h"
#include "expose/jm-write-buffer-private.h"

G_BEGIN_DECLS

/* Belongs to the main context that is its thread's default one when it is made. */
typedef struct _JmWriteSender JmWriteSender;

/* Takes over @buffer where it is made. Errors: `INVALID` for a URL or a file. */
JmWriteSender *jm_write_sender_new (const JmRemoteWritePlan *plan, GError **error);

/* Appends a request; begins to send unless it waits for a server that failed. */
void jm_write_sender_add (JmWriteSender *self, GBytes *body, guint n_samples);
void jm_write_sender_start (JmWriteSender *self);

/* Calls @done once: when nothing waits any more or the server fails. */
void
jm_write_sender_finish (JmWriteSender *self, void (*done) (gpointer), gpointer data);

/* Any thread may ask. */
void jm_write_sender_get_figures (JmWriteSender *self, JmRemoteWriteFigures *figures);

void jm_write_sender_free (JmWriteSender *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmWriteSender, jm_write_sender_free)

G_END_DECLS
