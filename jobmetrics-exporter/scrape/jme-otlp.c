/* jme-otlp.c: metrics that a role sends by OTLP
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "scrape/jme-sender.h"

#define OTLP_URL "otlp.url"
#define OTLP_INTERVAL "otlp.interval"
#define OTLP_BUFFER "otlp.buffer"
#define OTLP_BUFFER_SIZE "otlp.buffer-size"
#define OTLP_DIALECT "otlp.dialect"
#define OTLP_HEADERS_FILE "otlp.headers-file"
#define OTLP_CA_FILE "otlp.ca-file"
#define OTLP_SERVICE "otlp.service"
#define NODE_NAME "node.name"

static const JmeSenderNames names = {
  .up = { "jobmetrics_otlp_up",
          "Whether the server accepted all of the last OTLP request." },
  .sent = { "jobmetrics_otlp_sent_points_total",
            "Points that the OTLP server accepted." },
  .dropped = { "jobmetrics_otlp_dropped_points_total",
               "Points that the OTLP server refused, or that had no room in the "
               "buffer." },
  .pending = { "jobmetrics_otlp_pending_bytes", "Bytes that wait in the OTLP buffer." },
};

static const JmSetting rows[] = {
  { .name = OTLP_URL,
    .group = "otlp",
    .kind = JM_SETTING_TEXT,
    .argument = "URL",
    .help = "Server that metrics are sent to by OTLP over HTTP",
    .preset_help = "nothing is sent" },
  { .name = OTLP_INTERVAL,
    .group = "otlp",
    .kind = JM_SETTING_DURATION,
    .argument = "SECONDS",
    .help = "Time between two exports of metrics",
    .preset = "15",
    .low = 1,
    .high = 3600 },
  { .name = OTLP_BUFFER,
    .group = "otlp",
    .kind = JM_SETTING_FILE,
    .argument = "DIR",
    .help = "Directory where requests wait until the server has accepted them" },
  { .name = OTLP_BUFFER_SIZE,
    .group = "otlp",
    .kind = JM_SETTING_COUNT,
    .argument = "BYTES",
    .help = "Size of that directory beyond which the oldest requests are dropped",
    .preset = "67108864",
    .low = 65536,
    .high = G_MAXUINT },
  { .name = OTLP_DIALECT,
    .group = "otlp",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "NAME,...",
    .help = "Dialects whose metric names are sent" },
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
    .help = "Attribute service.name of the resource that is sent" },
};

static const char *
find_preset (const JmeOtlpPresets *presets, const char *name)
{
  const struct
  {
    const char *name;
    const char *preset;
  } all[] = { { OTLP_BUFFER, presets->buffer },
              { OTLP_DIALECT, presets->dialect },
              { OTLP_SERVICE, presets->service } };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (g_str_equal (all[i].name, name))
      return all[i].preset;

  return NULL;
}

void
jme_otlp_add_settings (JmSettings *settings, const JmeOtlpPresets *presets)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      JmSetting row = rows[i];
      const char *preset = find_preset (presets, row.name);

      if (preset != NULL)
        row.preset = preset;
      jm_settings_add (settings, &row);
    }
}

gboolean
jme_otlp_match (const char *pattern)
{
  return jme_sender_match (&names, pattern);
}

gboolean
jme_otlp_open (JmTextEncoder **encoder,
               const JmSettings *settings,
               JmeOutlets *outlets,
               GError **error)
{
  *encoder = NULL;
  if (jm_settings_get_text (settings, OTLP_URL) == NULL)
    return TRUE;
  if (jme_sender_check_url (settings, OTLP_URL, error))
    *encoder = jme_outlets_make_encoder (outlets, OTLP_DIALECT, error);

  return *encoder != NULL;
}

/* Only nodes have a name that is set. */
static const char *
get_host_name (const JmSettings *settings)
{
  const char *name = jm_settings_has (settings, NODE_NAME)
                       ? jm_settings_get_text (settings, NODE_NAME)
                       : NULL;

  return name != NULL ? name : g_get_host_name ();
}

static JmRemoteWriter *
open_writer (const JmSettings *settings, JmTextEncoder *encoder, GError **error)
{
  g_autofree char *headers = NULL;
  JmRemoteWritePlan plan = {
    .url = jm_settings_get_text (settings, OTLP_URL),
    .ca_file = jm_settings_get_text (settings, OTLP_CA_FILE),
    .buffer = jm_settings_get_text (settings, OTLP_BUFFER),
    .max_bytes = jm_settings_get_number (settings, OTLP_BUFFER_SIZE),
    .job = jm_settings_get_text (settings, OTLP_SERVICE),
    .instance = get_host_name (settings),
    .otlp = encoder,
  };

  if (!jme_sender_read_secret (settings, OTLP_HEADERS_FILE, &headers, error))
    return NULL;
  plan.headers = headers;

  return jm_remote_writer_new (&plan, error);
}

JmeSender *
jme_otlp_start (const JmSettings *settings, JmTextEncoder *encoder, JmeAnswers *answers)
{
  g_autoptr (GError) error = NULL;
  JmRemoteWriter *writer;

  if (encoder == NULL)
    return NULL;
  writer = open_writer (settings, encoder, &error);
  if (writer == NULL)
    {
      g_warning ("nothing is sent by OTLP: %s", error->message);
      return NULL;
    }

  return jme_sender_new (writer, encoder, &names, answers,
                         jm_settings_get_number (settings, OTLP_INTERVAL));
}
