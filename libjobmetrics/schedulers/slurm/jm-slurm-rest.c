/* jm-slurm-rest.c: a Slurm that is asked through slurmrestd
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-rest-private.h"

#include "base/jm-error.h"
#include "host/jm-secret-file-private.h"
#include "host/jm-source-private.h"
#include "io/jm-http-private.h"
#include "schedulers/jm-scheduler-report-private.h"

#define NAME "slurmrestd"
#define DEFAULT_URL "http://localhost:6820"
#define DEFAULT_TIMEOUT_S 120
#define MAX_TIMEOUT_S 3600
#define ANSWER_MAX ((gsize) 4 << 30)
#define HEAD_MAX ((gsize) 1 << 20)
/* API versions 0.0.N of the releases 20.11 to 26.05 */
#define OLDEST_VERSION 36
#define LATEST_VERSION 45
#define NOT_MODIFIED 304

/*
 * JmSlurmRest:
 *
 * A Slurm that is asked through its slurmrestd, over a socket of this machine or over
 * the network with a token. The latest version of its interface that both know is found
 * by asking. What has not changed since it was asked for last is not sent again.
 *
 * - Errors: `INVALID` for an invalid URL, or where the cluster's name is
 *   not known, `ABSENT` where no version is known to both, `DENIED` where the token is
 *   not accepted, `UNAVAILABLE` where nobody answers.
 *
 * Since: 0.1
 */
struct _JmSlurmRest
{
  JmSource parent_instance;

  char *cluster;
  JmSlurmRestPlace place; /* its version is 0 until it is known */
  guint timeout;
  JmSchedulerReport *last[JM_N_SCHEDULER_TOPICS]; /* NULL for none */
  gint64 update_times[JM_N_SCHEDULER_TOPICS];     /* of these */
};

static void scheduler_iface_init (JmSchedulerInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmSlurmRest,
                               jm_slurm_rest,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_SCHEDULER,
                                                      scheduler_iface_init))

static const struct
{
  const char *path; /* %u stands for the version */
  const JmSlurmShape *shape;
  guint since;              /* which version */
  gboolean has_update_time; /* it can be asked for what has changed */
} topics[JM_N_SCHEDULER_TOPICS] = {
  [JM_SCHEDULER_TOPIC_JOBS] = { "/slurm/v0.0.%u/jobs", &jm_slurm_jobs_shape, 0, TRUE },
  [JM_SCHEDULER_TOPIC_NODES] = { "/slurm/v0.0.%u/nodes", &jm_slurm_nodes_shape, 0,
                                 TRUE },
  [JM_SCHEDULER_TOPIC_PARTITIONS] = { "/slurm/v0.0.%u/partitions",
                                      &jm_slurm_partitions_shape, 0, TRUE },
  [JM_SCHEDULER_TOPIC_RESERVATIONS] = { "/slurm/v0.0.%u/reservations",
                                        &jm_slurm_reservations_shape, 0, FALSE },
  [JM_SCHEDULER_TOPIC_LICENSES] = { "/slurm/v0.0.%u/licenses", &jm_slurm_licenses_shape,
                                    38, FALSE },
  [JM_SCHEDULER_TOPIC_SHARES] = { "/slurm/v0.0.%u/shares", &jm_slurm_shares_shape, 40,
                                  FALSE },
  [JM_SCHEDULER_TOPIC_LIMITS] = { "/slurmdb/v0.0.%u/associations",
                                  &jm_slurm_limits_shape, 0, FALSE },
  [JM_SCHEDULER_TOPIC_DIAGNOSTICS] = { "/slurm/v0.0.%u/diag",
                                       &jm_slurm_diagnostics_shape, 0, FALSE },
};

/* --- asking --- */

static char *
make_path (const char *pattern, guint version)
{
  g_auto (GStrv) parts = g_strsplit (pattern, "%u", 2);

  return g_strdup_printf ("%s%u%s", parts[0], version, parts[1]);
}

/* A token lives for a while only, so that it is read each time. */
static gboolean
read_token (JmSlurmRest *self, char **token, GError **error)
{
  if (self->place.token_file == NULL)
    return TRUE;

  *token = jm_secret_file_read_token (jm_source_get_host (JM_SOURCE (self)),
                                      self->place.token_file, error);

  return *token != NULL;
}

/* Names and values, with room for both and a NULL. */
static void
set_headers (const JmSlurmRestPlace *place, const char *token, const char *headers[5])
{
  guint n = 0;

  if (token != NULL)
    {
      headers[n++] = "X-SLURM-USER-TOKEN";
      headers[n++] = token;
    }
  if (place->user != NULL)
    {
      headers[n++] = "X-SLURM-USER-NAME";
      headers[n++] = place->user;
    }
  headers[n] = NULL;
}

static gboolean
ask (JmSlurmRest *self,
     const char *path,
     gsize max_bytes,
     JmSlurmAnswer *answer,
     guint *status,
     GCancellable *cancellable,
     GError **error)
{
  g_autofree char *url = g_strconcat (self->place.url, path, NULL);
  g_autofree char *shown = g_strconcat (NAME ": ", path, NULL);
  g_autofree char *token = NULL;
  g_auto (JmHttpAnswer) http = { 0 };
  g_autoptr (GError) reason = NULL;
  const char *headers[5];
  const JmHttpRequest request = { .url = url,
                                  .socket = self->place.socket,
                                  .headers = headers,
                                  .ca_file = self->place.ca_file,
                                  .timeout_ms = self->timeout * 1000,
                                  .max_bytes = max_bytes,
                                  .take = jm_slurm_answer_feed,
                                  .take_data = answer };
  gboolean is_answered;

  *status = 0;
  if (!read_token (self, &token, error))
    return FALSE;

  set_headers (&self->place, token, headers);
  is_answered = jm_http_ask (&request, &http, cancellable, &reason);
  *status = http.status;
  /* what it began to send says more than that it is not understood */
  if ((is_answered || g_error_matches (reason, JM_ERROR, JM_ERROR_MALFORMED)) &&
      !jm_slurm_answer_finish (answer, shown, error))
    return FALSE;
  if (!is_answered)
    g_propagate_error (error, g_steal_pointer (&reason));

  return is_answered;
}

gboolean
jm_slurm_rest_ask (JmSlurmRest *self,
                   const char *path,
                   const char *query,
                   JmSlurmAnswer *answer,
                   GCancellable *cancellable,
                   GError **error)
{
  g_autofree char *versioned = make_path (path, self->place.version);
  g_autofree char *whole =
    g_strconcat (versioned, query != NULL ? "?" : "", query, NULL);
  guint status;

  return ask (self, whole, ANSWER_MAX, answer, &status, cancellable, error);
}

/* --- opening --- */

static gboolean
is_absent (const GError *error)
{
  return g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT);
}

/* The first that it knows, from the latest on; its cluster stands beside. */
static gboolean
find_version (JmSlurmRest *self, char **cluster, GError **error)
{
  guint latest = self->place.version > 0 ? self->place.version : LATEST_VERSION;
  guint oldest = self->place.version > 0 ? self->place.version : OLDEST_VERSION;

  for (guint version = latest; version >= oldest; version--)
    {
      g_autofree char *path = make_path ("/slurm/v0.0.%u/ping", version);
      g_autoptr (JmSlurmAnswer) answer = jm_slurm_answer_new (NULL, NULL, NULL);
      g_autoptr (GError) reason = NULL;
      guint status;

      if (ask (self, path, HEAD_MAX, answer, &status, NULL, &reason))
        {
          self->place.version = version;
          *cluster = g_strdup (jm_slurm_answer_get_cluster (answer));
          return TRUE;
        }
      if (!is_absent (reason))
        {
          g_propagate_error (error, g_steal_pointer (&reason));
          return FALSE;
        }
    }

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
               NAME ": it knows none of the API versions 0.0.%u to 0.0.%u", oldest,
               latest);

  return FALSE;
}

static gboolean
jm_slurm_rest_open (JmSource *source, GError **error)
{
  JmSlurmRest *self = JM_SLURM_REST (source);
  g_autofree char *cluster = NULL;

  if (self->place.url == NULL)
    self->place.url = g_strdup (DEFAULT_URL);
  if (g_str_has_suffix (self->place.url, "/"))
    self->place.url[strlen (self->place.url) - 1] = '\0';
  if (self->place.socket == NULL && !jm_http_check_url (self->place.url, error))
    return FALSE;
  if (!find_version (self, &cluster, error))
    return FALSE;

  if (self->cluster == NULL)
    self->cluster = g_steal_pointer (&cluster);
  if (self->cluster == NULL)
    g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                         NAME
                         ": it does not report its cluster's name: set cluster=NAME");

  return self->cluster != NULL;
}

/* --- the scheduler --- */

static gboolean
jm_slurm_rest_has_topic (JmScheduler *scheduler, JmSchedulerTopic topic)
{
  JmSlurmRest *self = JM_SLURM_REST (scheduler);

  return (guint) topic < JM_N_SCHEDULER_TOPICS &&
         self->place.version >= topics[topic].since;
}

static char *
make_topic_path (JmSlurmRest *self, JmSchedulerTopic topic)
{
  g_autofree char *path = make_path (topics[topic].path, self->place.version);

  if (!topics[topic].has_update_time || self->update_times[topic] <= 0)
    return g_steal_pointer (&path);

  return g_strdup_printf ("%s?update_time=%" G_GINT64_FORMAT, path,
                          self->update_times[topic]);
}

static void
keep (JmSlurmRest *self,
      JmSchedulerTopic topic,
      JmSchedulerReport *report,
      gint64 update_time)
{
  g_clear_pointer (&self->last[topic], jm_scheduler_report_unref);
  self->last[topic] = jm_scheduler_report_ref (report);
  self->update_times[topic] = update_time;
}

/* Later releases say so by an answer without records, and a warning. */
static gboolean
is_unchanged (JmSlurmRest *self,
              JmSchedulerTopic topic,
              JmSlurmAnswer *answer,
              gboolean is_answered,
              guint status)
{
  if (self->last[topic] == NULL || self->update_times[topic] <= 0)
    return FALSE;

  return status == NOT_MODIFIED ||
         (is_answered && jm_slurm_answer_get_n_records (answer) == 0 &&
          jm_slurm_answer_has_warning (answer));
}

static gboolean
jm_slurm_rest_read (JmScheduler *scheduler,
                    JmSchedulerTopic topic,
                    JmSchedulerReport *report,
                    GCancellable *cancellable,
                    GError **error)
{
  JmSlurmRest *self = JM_SLURM_REST (scheduler);
  g_autofree char *path = make_topic_path (self, topic);
  g_autoptr (JmSlurmAnswer) answer =
    jm_slurm_answer_new (topics[topic].shape, report, self->cluster);
  g_autoptr (GError) reason = NULL;
  /* what changes within this second may not be in the answer */
  gint64 update_time = g_get_real_time () / G_USEC_PER_SEC - 1;
  guint status;
  gboolean is_answered =
    ask (self, path, ANSWER_MAX, answer, &status, cancellable, &reason);

  if (topics[topic].has_update_time &&
      is_unchanged (self, topic, answer, is_answered, status))
    jm_scheduler_report_repeat (report, self->last[topic]);
  else if (!is_answered)
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return FALSE;
    }
  else if (topics[topic].has_update_time)
    keep (self, topic, report, update_time);
  jm_scheduler_report_set_time (report, g_get_real_time ());

  return TRUE;
}

static const char *
jm_slurm_rest_get_cluster (JmScheduler *scheduler)
{
  return JM_SLURM_REST (scheduler)->cluster;
}

static void
scheduler_iface_init (JmSchedulerInterface *iface)
{
  iface->read = jm_slurm_rest_read;
  iface->get_cluster = jm_slurm_rest_get_cluster;
  iface->has_topic = jm_slurm_rest_has_topic;
}

/* --- the source --- */

static gboolean
jm_slurm_rest_check (JmSource *source, GError **error)
{
  g_autofree char *path =
    make_path ("/slurm/v0.0.%u/ping", JM_SLURM_REST (source)->place.version);
  g_autoptr (JmSlurmAnswer) answer = jm_slurm_answer_new (NULL, NULL, NULL);
  guint status;

  return ask (JM_SLURM_REST (source), path, HEAD_MAX, answer, &status, NULL, error);
}

static void
jm_slurm_rest_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  if (JM_SLURM_REST (source)->place.token_file != NULL)
    jm_secret_file_advise (error, advice);
}

static void
jm_slurm_rest_finalize (GObject *object)
{
  JmSlurmRest *self = JM_SLURM_REST (object);

  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    g_clear_pointer (&self->last[i], jm_scheduler_report_unref);

  G_OBJECT_CLASS (jm_slurm_rest_parent_class)->finalize (object);
}

void
jm_slurm_rest_place_install (GObjectClass *klass, gsize offset)
{
  static const struct
  {
    const char *name;
    gsize offset;
    const char *otherwise;
  } texts[] = {
    /* https, or http on this machine */
    { "url", G_STRUCT_OFFSET (JmSlurmRestPlace, url), DEFAULT_URL },
    { "socket", G_STRUCT_OFFSET (JmSlurmRestPlace, socket), NULL },
    { "user", G_STRUCT_OFFSET (JmSlurmRestPlace, user), NULL },
    /* one line, a token as `scontrol token` makes it, that nobody else may read; it is
     * read anew for each question */
    { "token-file", G_STRUCT_OFFSET (JmSlurmRestPlace, token_file), NULL },
    { "ca-file", G_STRUCT_OFFSET (JmSlurmRestPlace, ca_file), NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    jm_source_class_add_text (klass, texts[i].name, offset + texts[i].offset,
                              texts[i].otherwise);
  jm_source_class_add_uint (klass, "api-version",
                            offset + G_STRUCT_OFFSET (JmSlurmRestPlace, version), 0,
                            999, 0);
}

static void
install_properties (GObjectClass *object_class)
{
  /*
   * JmSlurmRest:cluster:
   *
   * The cluster's name; by default what the answers report, since 23.11.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "cluster",
                            G_STRUCT_OFFSET (JmSlurmRest, cluster), NULL);
  jm_slurm_rest_place_install (object_class, G_STRUCT_OFFSET (JmSlurmRest, place));

  /*
   * JmSlurmRest:timeout:
   *
   * Seconds that an answer may take, up to its last byte.
   *
   * Since: 0.1
   */
  jm_source_class_add_uint (object_class, "timeout",
                            G_STRUCT_OFFSET (JmSlurmRest, timeout), 1, MAX_TIMEOUT_S,
                            DEFAULT_TIMEOUT_S);
}

static void
jm_slurm_rest_class_init (JmSlurmRestClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  JmSourceClass *source_class = JM_SOURCE_CLASS (klass);

  object_class->finalize = jm_slurm_rest_finalize;
  source_class->open = jm_slurm_rest_open;
  source_class->check = jm_slurm_rest_check;
  source_class->advise = jm_slurm_rest_advise;

  install_properties (object_class);
}

static void
jm_slurm_rest_init (JmSlurmRest *self)
{
}
