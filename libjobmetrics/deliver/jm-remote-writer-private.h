/* jm-remote-writer-private.h: sends sweeps to a server by remote write or OTLP
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "expose/jm-text-encoder.h"

G_BEGIN_DECLS

/**
 * JmRemoteWritePlan:
 * @url: of the receiver
 * @user: (nullable): of basic authentication
 * @password: (nullable): its password
 * @ca_file: (nullable): certificates that are trusted in place of the system's
 * @buffer: directory where requests wait
 * @max_bytes: how large it may become
 * @job: (nullable): label of every series
 * @instance: (nullable): label of every series
 * @otlp: (nullable): encoder whose texts are sent by OTLP, not by remote write. @job and
 *   @instance are the resource's service and host then
 * @headers: (nullable): `NAME=VALUE,...` that each request has besides, values as in URLs
 *
 * What a #JmRemoteWriter is made from.
 */
typedef struct
{
  const char *url;
  const char *user;
  const char *password;
  const char *ca_file;
  const char *buffer;
  guint64 max_bytes;
  const char *job;
  const char *instance;
  JmTextEncoder *otlp;
  const char *headers;
} JmRemoteWritePlan;

/**
 * JmRemoteWriteFigures:
 * @is_up: whether the last request was taken
 * @n_sent: samples that were taken
 * @n_dropped: samples that were refused, had no room or were torn
 * @n_pending_bytes: what waits, on disk
 *
 * How it goes.
 */
typedef struct
{
  gboolean is_up;
  guint64 n_sent;
  guint64 n_dropped;
  guint64 n_pending_bytes;
} JmRemoteWriteFigures;

/* Works in a thread of its own: a disk or a server that hangs keeps nobody waiting. */
typedef struct _JmRemoteWriter JmRemoteWriter;

/* Begins with what an earlier process has left in the buffer.
 *
 * Errors: `INVALID` for an invalid plan, `ABSENT` where the library was
 * built without remote write; else as the buffer has it. */
JmRemoteWriter *jm_remote_writer_new (const JmRemoteWritePlan *plan, GError **error);

/* Sends @text, which is what a scraper would get at @time_us, or the text of the plan's
 * encoder. It is skipped while the thread still handles the one before. */
void jm_remote_writer_add (JmRemoteWriter *self, GBytes *text, gint64 time_us);

void jm_remote_writer_get_figures (JmRemoteWriter *self, JmRemoteWriteFigures *figures);

/* Marks all series as gone, and sends what waits as far as that is possible in this
 * time; the rest stays in the buffer. Frees it: a thread that hangs is left behind. */
void jm_remote_writer_stop_within (JmRemoteWriter *self, guint timeout_ms);

G_END_DECLS
