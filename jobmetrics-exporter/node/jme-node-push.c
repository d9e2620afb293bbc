/* jme-node-push.c: a node's jobs, pushed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node-push.h"

#include "base/jm-secret-private.h"
#include "daemon/jme-figures.h"
#include "deliver/jm-delivery-private.h"
#include "io/jm-http-private.h"
#include "node/jme-pusher.h"

/* A gateway does not keep the daemon from its end. */
#define END_PATIENCE_MS 2000

#define URL "push.url"
#define INTERVAL "push.interval"
#define JOB "push.job"
#define DIALECT "push.dialect"
#define LOGIN "push.login-file"
#define CA "push.ca-file"
#define GROUPS "push.groups-file"

struct _JmeNodePush
{
  const JmSettings *settings;
  JmTextEncoder *encoder;
  char *username; /* NULL, as the password, where there is none */
  char *password;
  JmePusher *pusher;   /* NULL before the start, and where it cannot be */
  JmeAnswers *answers; /* the outlets' */
  gint64 interval_us;
  gint64 pushed_us; /* of the monotonic clock; 0 for never */
};

static const JmSetting rows[] = {
  { .name = URL,
    .group = "push",
    .kind = JM_SETTING_TEXT,
    .argument = "URL",
    .help = "Prometheus pushgateway that each job's metrics are pushed to",
    .preset_help = "nothing is pushed" },
  { .name = INTERVAL,
    .group = "push",
    .kind = JM_SETTING_DURATION,
    .argument = "SECONDS",
    .help = "Time between two pushes, at least",
    .preset = "15",
    .low = 1,
    .high = 3600 },
  { .name = JOB,
    .group = "push",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Label job of what is pushed",
    .preset = "jobmetrics" },
  { .name = DIALECT,
    .group = "push",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "NAME,...",
    .help = "Names of metrics that are pushed",
    .preset_help = "native" },
  { .name = LOGIN,
    .group = "push",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Lines username=NAME and password=TEXT for the gateway" },
  { .name = CA,
    .group = "push",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Certificates of authorities that the gateway's is signed by",
    .preset_help = "the system's" },
  { .name = GROUPS,
    .group = "push",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "File with the groups that are pushed, so that those of a killed program "
            "are deleted",
    .preset = "/var/lib/jobmetrics-exporter/push-groups" },
};

void
jme_node_push_add_settings (JmSettings *settings)
{
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

static gboolean
check_url (const JmSettings *settings, const char *url, GError **error)
{
  g_autoptr (GError) reason = NULL;

  return (jm_http_check_url (url, &reason) && jm_delivery_check_url (url, &reason)) ||
         jm_settings_refuse (settings, URL, NULL, reason->message, error);
}

/* The exporter's own, whatever tree it looks at. */
static gboolean
read_login (JmeNodePush *self, GError **error)
{
  const char *login = jm_settings_get_text (self->settings, LOGIN);

  return login == NULL ||
         jm_secret_read_login (login, &self->username, &self->password, error);
}

gboolean
jme_node_push_open (JmeNodePush **self,
                    const JmSettings *settings,
                    JmeOutlets *outlets,
                    GError **error)
{
  const char *url = jm_settings_get_text (settings, URL);
  JmeNodePush *push;

  *self = NULL;
  if (url == NULL)
    return TRUE;
  if (!check_url (settings, url, error))
    return FALSE;

  push = g_new0 (JmeNodePush, 1);
  push->settings = settings;
  push->answers = jme_outlets_get_main (outlets);
  push->encoder = jme_outlets_make_encoder (outlets, DIALECT, error);
  if (push->encoder == NULL || !read_login (push, error))
    {
      jme_node_push_free (push);
      return FALSE;
    }
  *self = push;

  return TRUE;
}

/* --- its figures --- */

static gboolean
get_up (gconstpointer part, guint64 *value)
{
  const JmePushStatus *status = part;

  *value = status->is_up;

  return TRUE;
}

static gboolean
get_failures (gconstpointer part, guint64 *value)
{
  const JmePushStatus *status = part;

  *value = status->n_failures;

  return TRUE;
}

static gboolean
get_success_us (gconstpointer part, guint64 *value)
{
  const JmePushStatus *status = part;

  *value = (guint64) status->success_us;

  return status->success_us > 0;
}

static const JmeFigure metrics[] = {
  { JM_FAMILY_KIND_GAUGE, "jobmetrics_push_up",
    "Whether the pushgateway took what was pushed last.", 0, get_up },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_push_failures_total",
    "Times that the pushgateway did not take what was pushed.", 0, get_failures },
  { JM_FAMILY_KIND_GAUGE, "jobmetrics_push_last_success_time_seconds",
    "When it took everything last, seconds since 1970.", 6, get_success_us },
};

gboolean
jme_node_push_match (const char *pattern)
{
  return jme_figures_match (metrics, G_N_ELEMENTS (metrics), pattern);
}

static void
append_figures (JmMetricSelection *selection, JmTextWriter *writer, gpointer user_data)
{
  JmeNodePush *self = user_data;
  JmePushStatus status = jme_pusher_get_status (self->pusher);

  jme_figures_append (metrics, G_N_ELEMENTS (metrics), &status, selection, writer);
}

/* --- pushing --- */

void
jme_node_push_start (JmeNodePush *self)
{
  const char *node_name = jm_settings_get_text (self->settings, "node.name");
  guint interval_ms = jm_settings_get_number (self->settings, INTERVAL);
  g_autoptr (GError) error = NULL;
  const JmePusherPlan plan = {
    .url = jm_settings_get_text (self->settings, URL),
    .job = jm_settings_get_text (self->settings, JOB),
    .instance = node_name != NULL ? node_name : g_get_host_name (),
    .username = self->username,
    .password = self->password,
    .ca_file = jm_settings_get_text (self->settings, CA),
    .groups_file = jm_settings_get_text (self->settings, GROUPS),
    .interval_ms = interval_ms,
  };

  self->interval_us = (gint64) interval_ms * 1000;
  self->pusher = jme_pusher_new (&plan, &error);
  if (self->pusher != NULL)
    jme_answers_add_further (self->answers, append_figures, self);
  else
    g_warning ("nothing is pushed: %s", error->message);
}

void
jme_node_push_free (JmeNodePush *self)
{
  jme_answers_remove_further (self->answers, self);
  if (self->pusher != NULL)
    jme_pusher_free_within (self->pusher, END_PATIENCE_MS);
  g_clear_object (&self->encoder);
  g_free (self->username);
  g_free (self->password);
  g_free (self);
}

/* --- sweeps --- */

static void
add_job (JmeNodePush *self, JmSnapshot *snapshot, guint subject, GHashTable *texts)
{
  GString *text = g_string_new (NULL);
  JmJob *job = jm_snapshot_get_job (snapshot, subject);

  jm_text_encoder_encode_job (self->encoder, snapshot, subject, text);
  if (text->len > 0)
    g_hash_table_replace (texts, g_strdup (jm_job_get_id (job)),
                          g_string_free_to_bytes (text));
  else
    g_string_free (text, TRUE);
}

/* A group is one job's, and goes with it. */
static GHashTable *
make_texts (JmeNodePush *self, JmSnapshot *snapshot)
{
  GHashTable *texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                             (GDestroyNotify) g_bytes_unref);

  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_JOB &&
        jm_snapshot_get_end_time (snapshot, i) == 0)
      add_job (self, snapshot, i, texts);

  return texts;
}

void
jme_node_push_sweep (JmeNodePush *self, JmSnapshot *snapshot)
{
  gint64 now_us = g_get_monotonic_time ();

  if (self->pusher == NULL ||
      (self->pushed_us != 0 && now_us - self->pushed_us < self->interval_us))
    return;

  self->pushed_us = now_us;
  jme_pusher_take (self->pusher, make_texts (self, snapshot));
}
