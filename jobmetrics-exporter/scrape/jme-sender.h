/* jme-sender.h: metrics that a role sends by itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-settings-private.h"
#include "daemon/jme-figures.h"
#include "deliver/jm-remote-writer-private.h"
#include "scrape/jme-answers.h"
#include "scrape/jme-outlets.h"

G_BEGIN_DECLS

/* Sends metrics once per interval, and has metrics of its own about that. */
typedef struct _JmeSender JmeSender;

/* Names and help of its own metrics, in this order: whether the server took the last
 * request, samples that were sent and dropped, and bytes that wait. */
typedef struct
{
  const char *up[2];
  const char *sent[2];
  const char *dropped[2];
  const char *pending[2];
} JmeSenderNames;

/* Takes over @writer. Sends the text of @encoder, or that of @answers where it is NULL;
 * its own metrics are added to @answers. */
JmeSender *jme_sender_new (JmRemoteWriter *writer,
                           JmTextEncoder *encoder,
                           const JmeSenderNames *names,
                           JmeAnswers *answers,
                           guint interval_ms);

/* Sends a sweep unless the last one that was sent is too young. */
void jme_sender_add (JmeSender *self, JmSnapshot *snapshot);

/* Returns: (transfer full): the present state of a role, or NULL for none */
typedef JmSnapshot *(*JmeGetSnapshot) (gpointer user_data);

/* For a role without sweeps: sends what @get returns, once per interval. */
void jme_sender_run (JmeSender *self, JmeGetSnapshot get, gpointer user_data);

/* Marks all series as gone. */
void jme_sender_stop (JmeSender *self);

/* Whether a metric of these names is one that @pattern means. */
gboolean jme_sender_match (const JmeSenderNames *names, const char *pattern);

/* FALSE with `INVALID` for a setting that has a URL of no web server. */
gboolean
jme_sender_check_url (const JmSettings *settings, const char *setting, GError **error);

/* Reads the file that a setting names, which is the exporter's own, whatever tree it
 * looks at; NULL for none. FALSE on failure. */
gboolean jme_sender_read_secret (const JmSettings *settings,
                                 const char *setting,
                                 char **secret,
                                 GError **error);

/* Defaults of a role's settings for OTLP. */
typedef struct
{
  const char *dialect;
  const char *service;
  const char *buffer;
} JmeOtlpPresets;

void jme_otlp_add_settings (JmSettings *settings, const JmeOtlpPresets *presets);

/* Sets @encoder to one for OTLP, or to NULL where no URL is set. Errors: `INVALID` for a
 * URL or a dialect. */
gboolean jme_otlp_open (JmTextEncoder **encoder,
                        const JmSettings *settings,
                        JmeOutlets *outlets,
                        GError **error);

/* Starts to send; NULL for no @encoder and, after a warning, on failure. */
JmeSender *jme_otlp_start (const JmSettings *settings,
                           JmTextEncoder *encoder,
                           JmeAnswers *answers);

/* Whether a metric of it has a name that @pattern means. */
gboolean jme_otlp_match (const char *pattern);

G_END_DECLS
