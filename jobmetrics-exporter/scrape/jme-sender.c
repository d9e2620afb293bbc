/* jme-sender.c: metrics that a role sends by itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "scrape/jme-sender.h"

#include "base/jm-secret-private.h"
#include "deliver/jm-delivery-private.h"

/* A server that is slow or a disk that hangs does not keep the daemon from its end. */
#define END_PATIENCE_MS 2000
/* Sweeps do not come to the millisecond. */
#define SLACK_US 100000

#define N_METRICS 4

struct _JmeSender
{
  JmRemoteWriter *writer;
  JmTextEncoder *encoder; /* NULL for what @answers has */
  JmeFigure metrics[N_METRICS];
  JmeAnswers *answers;
  guint interval_ms;
  gint64 last_us;

  JmeGetSnapshot get; /* NULL where sweeps are added */
  gpointer user_data;
  guint timeout;
};

/* --- its figures --- */

static gboolean
get_up (gconstpointer part, guint64 *value)
{
  *value = ((const JmRemoteWriteFigures *) part)->is_up;

  return TRUE;
}

static gboolean
get_sent (gconstpointer part, guint64 *value)
{
  *value = ((const JmRemoteWriteFigures *) part)->n_sent;

  return TRUE;
}

static gboolean
get_dropped (gconstpointer part, guint64 *value)
{
  *value = ((const JmRemoteWriteFigures *) part)->n_dropped;

  return TRUE;
}

static gboolean
get_pending (gconstpointer part, guint64 *value)
{
  *value = ((const JmRemoteWriteFigures *) part)->n_pending_bytes;

  return TRUE;
}

static void
fill_metrics (const JmeSenderNames *names, JmeFigure metrics[N_METRICS])
{
  const JmeFigure all[N_METRICS] = {
    { JM_FAMILY_KIND_GAUGE, names->up[0], names->up[1], 0, get_up },
    { JM_FAMILY_KIND_COUNTER, names->sent[0], names->sent[1], 0, get_sent },
    { JM_FAMILY_KIND_COUNTER, names->dropped[0], names->dropped[1], 0, get_dropped },
    { JM_FAMILY_KIND_GAUGE, names->pending[0], names->pending[1], 0, get_pending },
  };

  for (guint i = 0; i < N_METRICS; i++)
    metrics[i] = all[i];
}

gboolean
jme_sender_match (const JmeSenderNames *names, const char *pattern)
{
  JmeFigure metrics[N_METRICS];

  fill_metrics (names, metrics);

  return jme_figures_match (metrics, N_METRICS, pattern);
}

static void
append_figures (JmMetricSelection *selection, JmTextWriter *writer, gpointer user_data)
{
  JmeSender *self = user_data;
  JmRemoteWriteFigures figures;

  jm_remote_writer_get_figures (self->writer, &figures);
  jme_figures_append (self->metrics, N_METRICS, &figures, selection, writer);
}

/* --- settings --- */

gboolean
jme_sender_check_url (const JmSettings *settings, const char *setting, GError **error)
{
  const char *url = jm_settings_get_text (settings, setting);
  g_autoptr (GError) reason = NULL;

  return url == NULL || jm_delivery_check_url (url, &reason) ||
         jm_settings_refuse (settings, setting, url, reason->message, error);
}

gboolean
jme_sender_read_secret (const JmSettings *settings,
                        const char *setting,
                        char **secret,
                        GError **error)
{
  const char *path = jm_settings_get_text (settings, setting);

  *secret = path != NULL ? jm_secret_read_token (path, error) : NULL;

  return path == NULL || *secret != NULL;
}

/* --- sending --- */

JmeSender *
jme_sender_new (JmRemoteWriter *writer,
                JmTextEncoder *encoder,
                const JmeSenderNames *names,
                JmeAnswers *answers,
                guint interval_ms)
{
  JmeSender *self = g_new0 (JmeSender, 1);

  self->writer = writer;
  self->encoder = encoder != NULL ? g_object_ref (encoder) : NULL;
  fill_metrics (names, self->metrics);
  self->answers = answers;
  self->interval_ms = interval_ms;
  jme_answers_add_further (answers, append_figures, self);

  return self;
}

static GBytes *
encode (JmeSender *self, JmSnapshot *snapshot)
{
  GString *text = g_string_new (NULL);
  gboolean is_native;

  g_object_get (self->encoder, "native", &is_native, NULL);
  if (is_native)
    jme_answers_append_further (self->answers, text);
  jm_text_encoder_encode (self->encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS, NULL,
                          text);

  return g_string_free_to_bytes (text);
}

static void
send (JmeSender *self, JmSnapshot *snapshot, gint64 time_us)
{
  g_autoptr (GBytes) text = self->encoder != NULL
                              ? encode (self, snapshot)
                              : jme_answers_render (self->answers, snapshot);

  jm_remote_writer_add (self->writer, text, time_us);
}

static gboolean
is_due (const JmeSender *self, gint64 time_us)
{
  gint64 age_us = time_us - self->last_us;

  /* the clock may have been set back */
  return age_us < 0 || age_us >= (gint64) self->interval_ms * 1000 - SLACK_US;
}

void
jme_sender_add (JmeSender *self, JmSnapshot *snapshot)
{
  gint64 time_us = jm_snapshot_get_time (snapshot);

  if (!is_due (self, time_us))
    return;

  self->last_us = time_us;
  send (self, snapshot, time_us);
}

static gboolean
on_due (gpointer user_data)
{
  JmeSender *self = user_data;
  g_autoptr (JmSnapshot) snapshot = self->get (self->user_data);

  if (snapshot != NULL)
    send (self, snapshot, g_get_real_time ());

  return G_SOURCE_CONTINUE;
}

void
jme_sender_run (JmeSender *self, JmeGetSnapshot get, gpointer user_data)
{
  self->get = get;
  self->user_data = user_data;
  self->timeout = g_timeout_add (self->interval_ms, on_due, self);
}

void
jme_sender_stop (JmeSender *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  jme_answers_remove_further (self->answers, self);
  jm_remote_writer_stop_within (self->writer, END_PATIENCE_MS);
  g_clear_object (&self->encoder);
  g_free (self);
}
