/* jme-node-remote-write.c: a node that sends its figures by itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node-push.h"

#include "base/jm-secret-private.h"
#include "daemon/jme-figures.h"
#include "deliver/jm-delivery-private.h"
#include "deliver/jm-remote-writer-private.h"

/* A server that is slow or a disk that hangs does not keep the daemon from its end. */
#define END_PATIENCE_MS 2000
/* Sweeps do not come to the millisecond. */
#define SLACK_US 100000

#define URL "remote-write.url"
#define INTERVAL "remote-write.interval"
#define BUFFER "remote-write.buffer"
#define BUFFER_SIZE "remote-write.buffer-size"
#define USER "remote-write.user"
#define PASSWORD_FILE "remote-write.password-file"
#define CA_FILE "remote-write.ca-file"
#define JOB "remote-write.job"
#define INSTANCE "remote-write.instance"
#define NODE_NAME "node.name"

#define OTLP_URL "otlp.url"
#define OTLP_INTERVAL "otlp.interval"
#define OTLP_BUFFER "otlp.buffer"
#define OTLP_BUFFER_SIZE "otlp.buffer-size"
#define OTLP_DIALECT "otlp.dialect"
#define OTLP_HEADERS_FILE "otlp.headers-file"
#define OTLP_CA_FILE "otlp.ca-file"
#define OTLP_SERVICE "otlp.service"

struct _JmeNodeRemoteWrite
{
  JmRemoteWriter *writer;
  JmTextEncoder *encoder; /* of what is sent by OTLP; NULL for what @answers has */
  const JmeFigure *metrics;
  JmeAnswers *answers;
  gint64 interval_us;
  gint64 last_us;
};

static const JmSetting rows[] = {
  { .name = URL,
    .group = "remote-write",
    .kind = JM_SETTING_TEXT,
    .argument = "URL",
    .help = "Server that sweeps are sent to by Prometheus remote write",
    .preset_help = "nothing is sent" },
  { .name = INTERVAL,
    .group = "remote-write",
    .kind = JM_SETTING_DURATION,
    .argument = "SECONDS",
    .help = "Time between two sweeps that are sent",
    .preset = "15",
    .low = 1,
    .high = 3600 },
  { .name = BUFFER,
    .group = "remote-write",
    .kind = JM_SETTING_FILE,
    .argument = "DIR",
    .help = "Directory where sweeps wait until the server has taken them",
    .preset = "/var/lib/jobmetrics-exporter/remote-write" },
  { .name = BUFFER_SIZE,
    .group = "remote-write",
    .kind = JM_SETTING_COUNT,
    .argument = "BYTES",
    .help = "Size of that directory beyond which the oldest sweeps are dropped",
    .preset = "67108864",
    .low = 65536,
    .high = G_MAXUINT },
  { .name = USER,
    .group = "remote-write",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "User that the server knows" },
  { .name = PASSWORD_FILE,
    .group = "remote-write",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "File with the password of that user" },
  { .name = CA_FILE,
    .group = "remote-write",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Certificates of authorities that the server's is checked with",
    .preset_help = "those of the system" },
  { .name = JOB,
    .group = "remote-write",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Label job of each series that is sent",
    .preset = "jobmetrics" },
  { .name = INSTANCE,
    .group = "remote-write",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Label instance of each series that is sent",
    .preset_help = "the node's name" },
  { .name = OTLP_URL,
    .group = "otlp",
    .kind = JM_SETTING_TEXT,
    .argument = "URL",
    .help = "Server that sweeps are sent to by OTLP over HTTP",
    .preset_help = "nothing is sent" },
  { .name = OTLP_INTERVAL,
    .group = "otlp",
    .kind = JM_SETTING_DURATION,
    .argument = "SECONDS",
    .help = "Time between two sweeps that are sent",
    .preset = "15",
    .low = 1,
    .high = 3600 },
  { .name = OTLP_BUFFER,
    .group = "otlp",
    .kind = JM_SETTING_FILE,
    .argument = "DIR",
    .help = "Directory where sweeps wait until the server has taken them",
    .preset = "/var/lib/jobmetrics-exporter/otlp" },
  { .name = OTLP_BUFFER_SIZE,
    .group = "otlp",
    .kind = JM_SETTING_COUNT,
    .argument = "BYTES",
    .help = "Size of that directory beyond which the oldest sweeps are dropped",
    .preset = "67108864",
    .low = 65536,
    .high = G_MAXUINT },
  { .name = OTLP_DIALECT,
    .group = "otlp",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "NAME,...",
    .help = "Dialects whose metric names are sent",
    .preset = "opentelemetry" },
  { .name = OTLP_HEADERS_FILE,
    .group = "otlp",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "File with one line of further request headers, NAME=VALUE,..." },
  { .name = OTLP_CA_FILE,
    .group = "otlp",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Certificates of authorities that the server's is checked with",
    .preset_help = "those of the system" },
  { .name = OTLP_SERVICE,
    .group = "otlp",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Attribute service.name of the resource that is sent",
    .preset = "jobmetrics" },
};

void
jme_node_remote_write_add_settings (JmSettings *settings)
{
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

static gboolean
check_url (const JmSettings *settings, const char *setting, GError **error)
{
  const char *url = jm_settings_get_text (settings, setting);
  g_autoptr (GError) reason = NULL;

  return url == NULL || jm_delivery_check_url (url, &reason) ||
         jm_settings_refuse (settings, setting, url, reason->message, error);
}

gboolean
jme_node_remote_write_check (const JmSettings *settings, GError **error)
{
  if (!check_url (settings, OTLP_URL, error) || !check_url (settings, URL, error))
    return FALSE;
  if (jm_settings_get_text (settings, URL) == NULL)
    return TRUE;
  if (jm_settings_get_text (settings, USER) != NULL &&
      jm_settings_get_text (settings, PASSWORD_FILE) == NULL)
    return jm_settings_refuse (settings, USER, NULL, "needs --" PASSWORD_FILE, error);
  if (jm_settings_get_text (settings, PASSWORD_FILE) != NULL &&
      jm_settings_get_text (settings, USER) == NULL)
    return jm_settings_refuse (settings, PASSWORD_FILE, NULL, "needs --" USER, error);

  return TRUE;
}

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

static const JmeFigure metrics[] = {
  { JM_FAMILY_KIND_GAUGE, "jobmetrics_remote_write_up",
    "Whether the server took the last request of remote write.", 0, get_up },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_remote_write_sent_samples_total",
    "Samples that the server of remote write took.", 0, get_sent },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_remote_write_dropped_samples_total",
    "Samples that it refused, or that had no room in the buffer.", 0, get_dropped },
  { JM_FAMILY_KIND_GAUGE, "jobmetrics_remote_write_pending_bytes",
    "What waits in the buffer of remote write.", 0, get_pending },
};
static const JmeFigure otlp_metrics[] = {
  { JM_FAMILY_KIND_GAUGE, "jobmetrics_otlp_up",
    "Whether the server took all of the last request of OTLP.", 0, get_up },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_otlp_sent_points_total",
    "Points that the server of OTLP took.", 0, get_sent },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_otlp_dropped_points_total",
    "Points that it refused, or that had no room in the buffer.", 0, get_dropped },
  { JM_FAMILY_KIND_GAUGE, "jobmetrics_otlp_pending_bytes",
    "What waits in the buffer of OTLP.", 0, get_pending },
};

G_STATIC_ASSERT (G_N_ELEMENTS (metrics) == G_N_ELEMENTS (otlp_metrics));

gboolean
jme_node_remote_write_match (const char *pattern)
{
  return jme_figures_match (metrics, G_N_ELEMENTS (metrics), pattern) ||
         jme_figures_match (otlp_metrics, G_N_ELEMENTS (otlp_metrics), pattern);
}

static void
append_figures (JmMetricSelection *selection, JmTextWriter *writer, gpointer user_data)
{
  JmeNodeRemoteWrite *self = user_data;
  JmRemoteWriteFigures figures;

  jm_remote_writer_get_figures (self->writer, &figures);
  jme_figures_append (self->metrics, G_N_ELEMENTS (metrics), &figures, selection,
                      writer);
}

/* --- sending --- */

static const char *
get_instance (const JmSettings *settings)
{
  const char *instance = jm_settings_get_text (settings, INSTANCE);

  if (instance == NULL)
    instance = jm_settings_get_text (settings, NODE_NAME);

  return instance != NULL ? instance : g_get_host_name ();
}

/* Of a setting that names a file, which is the exporter's own, whatever tree it looks
 * at; FALSE with an error. */
static gboolean
read_secret (const JmSettings *settings,
             const char *setting,
             char **secret,
             GError **error)
{
  const char *path = jm_settings_get_text (settings, setting);

  *secret = path != NULL ? jm_secret_read_token (path, error) : NULL;

  return path == NULL || *secret != NULL;
}

static JmRemoteWriter *
open_otlp (const JmSettings *settings, JmTextEncoder *encoder, GError **error)
{
  const char *host = jm_settings_get_text (settings, NODE_NAME);
  g_autofree char *headers = NULL;
  JmRemoteWritePlan plan = {
    .url = jm_settings_get_text (settings, OTLP_URL),
    .ca_file = jm_settings_get_text (settings, OTLP_CA_FILE),
    .buffer = jm_settings_get_text (settings, OTLP_BUFFER),
    .max_bytes = jm_settings_get_number (settings, OTLP_BUFFER_SIZE),
    .job = jm_settings_get_text (settings, OTLP_SERVICE),
    .instance = host != NULL ? host : g_get_host_name (),
    .otlp = encoder,
  };

  if (!read_secret (settings, OTLP_HEADERS_FILE, &headers, error))
    return NULL;
  plan.headers = headers;

  return jm_remote_writer_new (&plan, error);
}

static JmRemoteWriter *
open_writer (const JmSettings *settings, GError **error)
{
  g_autofree char *password = NULL;
  JmRemoteWritePlan plan = {
    .url = jm_settings_get_text (settings, URL),
    .user = jm_settings_get_text (settings, USER),
    .ca_file = jm_settings_get_text (settings, CA_FILE),
    .buffer = jm_settings_get_text (settings, BUFFER),
    .max_bytes = jm_settings_get_number (settings, BUFFER_SIZE),
    .job = jm_settings_get_text (settings, JOB),
    .instance = get_instance (settings),
  };

  if (!read_secret (settings, PASSWORD_FILE, &password, error))
    return NULL;
  plan.password = password;

  return jm_remote_writer_new (&plan, error);
}

static JmeNodeRemoteWrite *
start (JmRemoteWriter *writer,
       JmTextEncoder *encoder,
       const JmeFigure *own_metrics,
       JmeAnswers *answers,
       guint interval_ms)
{
  JmeNodeRemoteWrite *self = g_new0 (JmeNodeRemoteWrite, 1);

  self->writer = writer;
  self->encoder = encoder;
  self->metrics = own_metrics;
  self->answers = answers;
  self->interval_us = (gint64) interval_ms * 1000;
  jme_answers_add_further (answers, append_figures, self);

  return self;
}

JmeNodeRemoteWrite *
jme_node_remote_write_start (const JmSettings *settings, JmeAnswers *answers)
{
  g_autoptr (GError) error = NULL;
  JmRemoteWriter *writer;

  if (jm_settings_get_text (settings, URL) == NULL)
    return NULL;
  writer = open_writer (settings, &error);
  if (writer == NULL)
    {
      g_warning ("nothing is sent by remote write: %s", error->message);
      return NULL;
    }

  return start (writer, NULL, metrics, answers,
                jm_settings_get_number (settings, INTERVAL));
}

gboolean
jme_node_otlp_open (JmTextEncoder **encoder,
                    const JmSettings *settings,
                    JmeOutlets *outlets,
                    GError **error)
{
  *encoder = NULL;
  if (jm_settings_get_text (settings, OTLP_URL) == NULL)
    return TRUE;
  *encoder = jme_outlets_make_encoder (outlets, OTLP_DIALECT, error);

  return *encoder != NULL;
}

JmeNodeRemoteWrite *
jme_node_otlp_start (const JmSettings *settings,
                     JmTextEncoder *encoder,
                     JmeAnswers *answers)
{
  g_autoptr (GError) error = NULL;
  JmRemoteWriter *writer = open_otlp (settings, encoder, &error);

  if (writer == NULL)
    {
      g_warning ("nothing is sent by OTLP: %s", error->message);
      return NULL;
    }

  return start (writer, g_object_ref (encoder), otlp_metrics, answers,
                jm_settings_get_number (settings, OTLP_INTERVAL));
}

static gboolean
is_due (const JmeNodeRemoteWrite *self, gint64 time_us)
{
  gint64 age_us = time_us - self->last_us;

  /* the clock may have been set back */
  return age_us < 0 || age_us >= self->interval_us - SLACK_US;
}

static GBytes *
encode (JmTextEncoder *encoder, JmSnapshot *snapshot)
{
  GString *text = g_string_new (NULL);

  jm_text_encoder_encode (encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS, NULL, text);

  return g_string_free_to_bytes (text);
}

void
jme_node_remote_write_add (JmeNodeRemoteWrite *self, JmSnapshot *snapshot)
{
  gint64 time_us = jm_snapshot_get_time (snapshot);
  g_autoptr (GBytes) text = NULL;

  if (!is_due (self, time_us))
    return;

  self->last_us = time_us;
  text = self->encoder != NULL ? encode (self->encoder, snapshot)
                               : jme_answers_render (self->answers, snapshot);
  jm_remote_writer_add (self->writer, text, time_us);
}

void
jme_node_remote_write_stop (JmeNodeRemoteWrite *self)
{
  jme_answers_remove_further (self->answers, self);
  jm_remote_writer_stop_within (self->writer, END_PATIENCE_MS);
  g_clear_object (&self->encoder);
  g_free (self);
}
