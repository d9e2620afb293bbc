/* jme-node-remote-write.c: a node that sends its figures by itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node-push.h"

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

static const JmeSenderNames names = {
  .up = { "jobmetrics_remote_write_up",
          "Whether the server accepted the last request of remote write." },
  .sent = { "jobmetrics_remote_write_sent_samples_total",
            "Samples that the server of remote write accepted." },
  .dropped = { "jobmetrics_remote_write_dropped_samples_total",
               "Samples that it refused, or that had no room in the buffer." },
  .pending = { "jobmetrics_remote_write_pending_bytes",
               "What waits in the buffer of remote write." },
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
};

void
jme_node_remote_write_add_settings (JmSettings *settings)
{
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

gboolean
jme_node_remote_write_check (const JmSettings *settings, GError **error)
{
  if (!jme_sender_check_url (settings, URL, error))
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

gboolean
jme_node_remote_write_match (const char *pattern)
{
  return jme_sender_match (&names, pattern);
}

static const char *
get_instance (const JmSettings *settings)
{
  const char *instance = jm_settings_get_text (settings, INSTANCE);

  if (instance == NULL)
    instance = jm_settings_get_text (settings, NODE_NAME);

  return instance != NULL ? instance : g_get_host_name ();
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

  if (!jme_sender_read_secret (settings, PASSWORD_FILE, &password, error))
    return NULL;
  plan.password = password;

  return jm_remote_writer_new (&plan, error);
}

JmeSender *
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

  return jme_sender_new (writer, NULL, &names, answers,
                         jm_settings_get_number (settings, INTERVAL));
}
