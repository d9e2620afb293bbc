/* jm-slurm-metrics.c: a Slurm that is asked for its own metrics
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-types-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "host/jm-secret-file-private.h"
#include "host/jm-source-private.h"
#include "io/jm-http-private.h"
#include "schedulers/slurm/jm-slurm-gauges-private.h"

#define NAME "slurm-metrics"
#define DEFAULT_URL "http://localhost:6817"
#define DEFAULT_TIMEOUT_S 60
#define MAX_TIMEOUT_S 3600
/* More than that of 100,000 users and as many accounts. */
#define ANSWER_MAX ((gsize) 1 << 29)

#define JOBS_PATH "/metrics/jobs"
#define PEOPLE_PATH "/metrics/jobs-users-accts"
#define NODES_PATH "/metrics/nodes"
#define PARTITIONS_PATH "/metrics/partitions"
#define SCHEDULER_PATH "/metrics/scheduler"

/*
 * JmSlurmMetrics:
 *
 * A Slurm that is asked for its own metrics, which slurmctld has since 25.11 where
 * `slurm.conf` says `MetricsType=metrics/openmetrics`.
 *
 * It has sums of jobs, not jobs, see #JmSchedulerSum. They are counted so:
 *
 * - A job is in one state: the twelve base states add up to the jobs. What the
 *   cluster's number of jobs has beyond them is of a state that is not known.
 * - Whatever may be said of a job of any state (`completing`, `configuring`, `hold`,
 *   ...) is a flag, and counts no job. Sums over several states (`finished`, `started`)
 *   are left out.
 * - Jobs that ended count as long as the controller knows of them (`MinJobAge`).
 * - A job that waits in several partitions is in one of them.
 * - What jobs have is known of those that run; what suspended ones have is in it. What
 *   they asked for, why and how long they wait is not known.
 * - Slurm adds CPUs up in 16 bits: of the cluster the nodes' CPUs are taken where they
 *   are more, and its memory likewise, which the first releases did not have. Where the
 *   sums of partitions, accounts or users are short of the nodes by that much, none is
 *   known.
 * - Memory is in mebibytes, also where the metric's name says bytes.
 * - The nodes in each state are counted; the state of any one of them is not reported.
 *   Its idle CPUs are idle also where it is drained or down.
 * - Errors: `INVALID` without a name of the cluster, or for a URL that is none, or
 *   that is http of another machine.
 * - Source: `/metrics/jobs`, `/metrics/nodes` and the like of slurmctld.
 *
 * Since: 0.1
 */
struct _JmSlurmMetrics
{
  JmSource parent_instance;

  char *cluster;
  char *url;
  char *base; /* the URL as paths are put behind it */
  char *token_file;
  guint timeout;
};

static void scheduler_iface_init (JmSchedulerInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmSlurmMetrics,
                               jm_slurm_metrics,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_SCHEDULER,
                                                      scheduler_iface_init))

/* --- asking --- */

static char *
make_bearer (JmSlurmMetrics *self, GError **error)
{
  g_autofree char *token =
    jm_secret_file_read_token (jm_source_get_host (JM_SOURCE (self)), self->token_file,
                               error);

  return token != NULL ? g_strconcat ("Bearer ", token, NULL) : NULL;
}

static gboolean
on_chunk (const char *text, gsize length, gpointer data)
{
  g_string_append_len (data, text, (gssize) length);

  return TRUE;
}

static GString *
ask (JmSlurmMetrics *self, const char *path, GCancellable *cancellable, GError **error)
{
  g_autofree char *url = g_strconcat (self->base, path, NULL);
  g_autofree char *bearer = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (JmHttpAnswer) answer = { 0 };
  const char *headers[] = { "Authorization", NULL, NULL };
  const JmHttpRequest request = { .url = url,
                                  .headers = self->token_file != NULL ? headers : NULL,
                                  .take = on_chunk,
                                  .take_data = text,
                                  .accept = "text/plain",
                                  .max_bytes = ANSWER_MAX,
                                  .timeout_ms = self->timeout * 1000 };

  if (self->token_file != NULL)
    {
      headers[1] = bearer = make_bearer (self, error);
      if (bearer == NULL)
        return NULL;
    }

  return jm_http_ask (&request, &answer, cancellable, error) ? g_steal_pointer (&text)
                                                             : NULL;
}

/* Without metrics in its configuration a controller's answer is empty. */
static gboolean
has_samples (JmSlurmMetrics *self, const char *path, guint n_samples, GError **error)
{
  g_autofree char *shown = NULL;

  if (n_samples > 0)
    return TRUE;

  shown = jm_http_get_shown_url (self->base);
  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s%s: no metrics of Slurm's",
               shown, path);

  return FALSE;
}

typedef guint (*ReadFunc) (JmSchedulerReport *report,
                           const char *path,
                           const char *text,
                           gsize length);

static gboolean
read_answer (JmSlurmMetrics *self,
             const char *path,
             ReadFunc func,
             JmSchedulerReport *report,
             GCancellable *cancellable,
             GError **error)
{
  g_autoptr (GString) text = ask (self, path, cancellable, error);

  return text != NULL &&
         has_samples (self, path, func (report, path, text->str, text->len), error);
}

static gboolean
read_sums (JmSlurmMetrics *self,
           const char *path,
           JmSlurmJobSums *sums,
           GCancellable *cancellable,
           GError **error)
{
  GString *text = ask (self, path, cancellable, error);
  guint n_samples;

  if (text == NULL)
    return FALSE;

  n_samples = jm_slurm_job_sums_read (sums, path, text->str, text->len);
  g_string_free (text, TRUE);

  /* nobody has a job */
  return g_str_equal (path, PEOPLE_PATH) || has_samples (self, path, n_samples, error);
}

static gboolean
read_jobs (JmSlurmMetrics *self,
           JmSchedulerReport *report,
           GCancellable *cancellable,
           GError **error)
{
  static const char *const paths[] = { JOBS_PATH, PARTITIONS_PATH, PEOPLE_PATH,
                                       NODES_PATH };
  g_auto (JmSlurmJobSums) sums = { 0 };

  jm_slurm_job_sums_init (&sums, report);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    if (!read_sums (self, paths[i], &sums, cancellable, error))
      return FALSE;
  jm_slurm_job_sums_finish (&sums);

  return TRUE;
}

/* --- the scheduler --- */

static gboolean
jm_slurm_metrics_has_topic (JmScheduler *scheduler, JmSchedulerTopic topic)
{
  return topic == JM_SCHEDULER_TOPIC_JOBS || topic == JM_SCHEDULER_TOPIC_NODES ||
         topic == JM_SCHEDULER_TOPIC_PARTITIONS ||
         topic == JM_SCHEDULER_TOPIC_DIAGNOSTICS;
}

static gboolean
read_topic (JmSlurmMetrics *self,
            JmSchedulerTopic topic,
            JmSchedulerReport *report,
            GCancellable *cancellable,
            GError **error)
{
  switch (topic)
    {
    case JM_SCHEDULER_TOPIC_JOBS:
      return read_jobs (self, report, cancellable, error);
    case JM_SCHEDULER_TOPIC_NODES:
      return read_answer (self, NODES_PATH, jm_slurm_gauges_read_nodes, report,
                          cancellable, error);
    case JM_SCHEDULER_TOPIC_PARTITIONS:
      return read_answer (self, PARTITIONS_PATH, jm_slurm_gauges_read_partitions,
                          report, cancellable, error);
    case JM_SCHEDULER_TOPIC_DIAGNOSTICS:
      return read_answer (self, SCHEDULER_PATH, jm_slurm_gauges_read_scheduler, report,
                          cancellable, error);
    default:
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, NAME ": %s are not asked for",
                   jm_scheduler_topic_get_name (topic));
      return FALSE;
    }
}

static gboolean
jm_slurm_metrics_read (JmScheduler *scheduler,
                       JmSchedulerTopic topic,
                       JmSchedulerReport *report,
                       GCancellable *cancellable,
                       GError **error)
{
  if (!read_topic (JM_SLURM_METRICS (scheduler), topic, report, cancellable, error))
    return FALSE;

  jm_scheduler_report_set_time (report, g_get_real_time ());

  return TRUE;
}

static const char *
jm_slurm_metrics_get_cluster (JmScheduler *scheduler)
{
  return JM_SLURM_METRICS (scheduler)->cluster;
}

static void
scheduler_iface_init (JmSchedulerInterface *iface)
{
  iface->read = jm_slurm_metrics_read;
  iface->get_cluster = jm_slurm_metrics_get_cluster;
  iface->has_topic = jm_slurm_metrics_has_topic;
}

/* --- the source --- */

static gboolean
jm_slurm_metrics_open (JmSource *source, GError **error)
{
  JmSlurmMetrics *self = JM_SLURM_METRICS (source);
  g_autofree char *bearer = NULL;
  gsize length;

  if (self->cluster == NULL || *self->cluster == '\0')
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           NAME ": cluster: must be set, for Slurm's metrics do not "
                                "have its name");
      return FALSE;
    }
  if (self->url == NULL)
    self->url = g_strdup (DEFAULT_URL);
  if (!jm_http_check_url (self->url, error))
    return FALSE;
  if (self->token_file != NULL && (bearer = make_bearer (self, error)) == NULL)
    return FALSE;

  g_free (self->base);
  self->base = g_strdup (self->url);
  length = strlen (self->base);
  while (length > 0 && self->base[length - 1] == '/')
    self->base[--length] = '\0';

  return TRUE;
}

static void
jm_slurm_metrics_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  JmSlurmMetrics *self = JM_SLURM_METRICS (source);

  if (!g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    jm_advice_add (advice,
                   "MetricsType=metrics/openmetrics in slurm.conf, of Slurm 25.11 or "
                   "later; url=URL of the controller that is in charge",
                   NULL);
  else if (self->token_file != NULL)
    jm_secret_file_advise (error, advice);
  else
    jm_advice_add (advice,
                   "token-file=FILE with a token of a user that is in slurm.conf's "
                   "MetricsAuthUsers, or no PrivateData there",
                   NULL);
}

static void
jm_slurm_metrics_finalize (GObject *object)
{
  JmSlurmMetrics *self = JM_SLURM_METRICS (object);

  g_free (self->base);

  G_OBJECT_CLASS (jm_slurm_metrics_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{
  /*
   * JmSlurmMetrics:cluster:
   *
   * The cluster's name, which must be set.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "cluster",
                            G_STRUCT_OFFSET (JmSlurmMetrics, cluster), NULL);

  /*
   * JmSlurmMetrics:url:
   *
   * Where slurmctld is: https, or http on this machine.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "url", G_STRUCT_OFFSET (JmSlurmMetrics, url),
                            DEFAULT_URL);

  /*
   * JmSlurmMetrics:token-file:
   *
   * A file with one line, the token that Slurm is shown; nobody else may read it. It is
   * read for each question, so it may be replaced.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "token-file",
                            G_STRUCT_OFFSET (JmSlurmMetrics, token_file), NULL);

  /*
   * JmSlurmMetrics:timeout:
   *
   * Seconds that an answer may take.
   *
   * Since: 0.1
   */
  jm_source_class_add_uint (object_class, "timeout",
                            G_STRUCT_OFFSET (JmSlurmMetrics, timeout), 1, MAX_TIMEOUT_S,
                            DEFAULT_TIMEOUT_S);
}

static void
jm_slurm_metrics_class_init (JmSlurmMetricsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_slurm_metrics_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_slurm_metrics_open;
  JM_SOURCE_CLASS (klass)->advise = jm_slurm_metrics_advise;

  install_properties (object_class);
}

static void
jm_slurm_metrics_init (JmSlurmMetrics *self)
{
}
