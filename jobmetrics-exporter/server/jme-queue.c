/* jme-queue.c: what becomes of each job, read into the archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-queue.h"

#include <string.h>

#include "archive/import/jm-job-states-private.h"
#include "cluster/jm-cluster-asker-private.h"
#include "daemon/jme-figures.h"
#include "daemon/jme-log-filter.h"
#include "registry/jm-registry.h"
#include "server/jme-intake-peer.h"

#define SCHEDULER "server.scheduler"
#define INTERVAL "server.scheduler-interval"
#define MINIMUM_MS 1000
#define SLURM "slurm"

/* One scheduler. What its thread alone knows stands first. */
typedef struct
{
  JmeQueue *queue;
  JmArchiveDatabase *store; /* NULL while it cannot be opened */
  JmJobStates *states;      /* the same */
  JmeLogFilter *log_filter;
  const char *specification; /* of the settings */
  JmScheduler *scheduler;
  char *scheduler_name;  /* as runs have it */
  JmClusterAsker *asker; /* NULL before the start */
} Asked;

struct _JmeQueue
{
  char *uri;
  JmClusterPace pace;
  GPtrArray *asked; /* of Asked */

  GMutex lock; /* of all below */
  guint64 n_documents;
  guint64 n_failures;
};

/* Of jobs for the archive, of the others for those who look at the cluster. */
static const JmSchedulerTopic topics[] = {
  JM_SCHEDULER_TOPIC_JOBS,
  JM_SCHEDULER_TOPIC_NODES,
  JM_SCHEDULER_TOPIC_PARTITIONS,
  JM_SCHEDULER_TOPIC_RESERVATIONS,
};

static const JmSetting rows[] = {
  { .name = SCHEDULER,
    .group = "server",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "NAME[,PROPERTY=VALUE]...",
    .help =
      "Scheduler whose queue is read, as the cluster role's --cluster.scheduler has it",
    .preset_help = "none" },
  { .name = INTERVAL,
    .group = "server",
    .kind = JM_SETTING_DURATION,
    .argument = "SECONDS",
    .help = "Time between two readings of a queue",
    .preset = "60",
    .low = 1,
    .high = 86400 },
};

void
jme_queue_add_settings (JmSettings *settings)
{
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

/* --- in the thread of a scheduler --- */

static gboolean
open_store (Asked *self, GError **error)
{
  if (self->store != NULL)
    return TRUE;
  self->store = jm_archive_database_open (self->queue->uri, error);
  if (self->store == NULL)
    return FALSE;
  self->states = jm_job_states_new (self->store);

  return TRUE;
}

/* One that failed is not asked again: it may be of a server that went. */
static void
close_store (Asked *self)
{
  g_clear_pointer (&self->states, jm_job_states_free);
  g_clear_object (&self->store);
}

static void
count (JmeQueue *self, guint64 n_documents, guint n_failures)
{
  g_mutex_lock (&self->lock);
  self->n_documents += n_documents;
  self->n_failures += n_failures;
  g_mutex_unlock (&self->lock);
}

static gboolean
take (Asked *self,
      const char *cluster,
      JmSchedulerReport *jobs,
      gint64 time_us,
      GError **error)
{
  guint64 n_before;

  if (!open_store (self, error))
    return FALSE;
  n_before = jm_job_states_get_n_documents (self->states);
  if (!jm_job_states_take (self->states, cluster, self->scheduler_name, jobs, time_us,
                           error))
    return FALSE;
  count (self->queue, jm_job_states_get_n_documents (self->states) - n_before, 0);

  return TRUE;
}

static void
on_jobs (const char *cluster,
         JmSchedulerReport *jobs,
         gint64 time_us,
         gpointer user_data)
{
  Asked *self = user_data;
  g_autoptr (GError) error = NULL;

  if (take (self, cluster, jobs, time_us, &error))
    {
      jme_log_filter_forget (self->log_filter, cluster);
      return;
    }

  if (jme_log_filter_is_new (self->log_filter, cluster, error->message))
    g_warning ("the queue of %s: %s", cluster, error->message);
  count (self->queue, 0, 1);
  close_store (self);
}

/* --- figures --- */

static gboolean
get_documents (gconstpointer part, guint64 *value)
{
  const JmeQueue *self = part;

  *value = self->n_documents;

  return self->asked->len > 0;
}

static gboolean
get_failures (gconstpointer part, guint64 *value)
{
  const JmeQueue *self = part;

  *value = self->n_failures;

  return self->asked->len > 0;
}

static GError *
get_error (const Asked *self)
{
  return self->asker != NULL
           ? jm_cluster_asker_get_error (self->asker, JM_SCHEDULER_TOPIC_JOBS)
           : NULL;
}

static gboolean
get_failed_schedulers (gconstpointer part, guint64 *value)
{
  const JmeQueue *self = part;

  *value = 0;
  for (guint i = 0; i < self->asked->len; i++)
    {
      g_autoptr (GError) error = get_error (self->asked->pdata[i]);

      *value += error != NULL;
    }

  return self->asked->len > 0;
}

static const JmeFigure figures[] = {
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_server_job_states_total",
    "Changes of the state of jobs that were stored.", 0, get_documents },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_server_job_state_failures_total",
    "Times that changes of jobs could not be stored; they are tried again the next "
    "time.",
    0, get_failures },
  { JM_FAMILY_KIND_GAUGE, "jobmetrics_server_failed_schedulers",
    "Schedulers whose last request for the queue failed.", 0, get_failed_schedulers },
};

void
jme_queue_append_figures (JmeQueue *self,
                          JmMetricSelection *selection,
                          JmTextWriter *writer)
{
  g_mutex_lock (&self->lock);
  jme_figures_append (figures, G_N_ELEMENTS (figures), self, selection, writer);
  g_mutex_unlock (&self->lock);
}

gboolean
jme_queue_match_figures (const char *pattern)
{
  return jme_figures_match (figures, G_N_ELEMENTS (figures), pattern);
}

/* Nothing of a topic that was never answered. */
static char **
list_unread (JmClusterAsker *asker, JmSchedulerTopic topic)
{
  gint64 age_us;
  g_autoptr (JmSchedulerReport) report =
    jm_cluster_asker_get_report (asker, topic, &age_us);

  return report != NULL ? jm_scheduler_report_list_complaints (report)
                        : g_new0 (char *, 1);
}

void
jme_queue_list_peers (JmeQueue *self, GPtrArray *peers)
{
  for (guint i = 0; i < self->asked->len; i++)
    {
      const Asked *asked = self->asked->pdata[i];
      g_autofree char *cluster =
        asked->asker != NULL ? jm_cluster_asker_get_cluster (asked->asker) : NULL;

      for (guint k = 0; asked->asker != NULL && k < G_N_ELEMENTS (topics); k++)
        {
          g_auto (JmFollowerState) state = { 0 };
          g_auto (GStrv) unread = list_unread (asked->asker, topics[k]);

          if (jm_cluster_asker_get_state (asked->asker, topics[k], &state))
            jme_peers_add (peers,
                           &(JmePeerState){
                             .kind = "scheduler",
                             .specification = (char *) asked->specification,
                             .topic = jm_scheduler_topic_get_name (topics[k]),
                             .cluster = cluster,
                             .unread = unread },
                           &state, (gint64) self->pace.interval_ms[topics[k]] * 1000);
        }
    }
}

char *
jme_queue_describe_lack (JmeQueue *self)
{
  const char *jobs = jm_scheduler_topic_get_name (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (GPtrArray) peers = jme_peers_new ();

  jme_queue_list_peers (self, peers);
  for (guint i = 0; i < peers->len; i++)
    {
      const JmePeerState *peer = peers->pdata[i];

      /* while another topic hangs, the thread that they share does not ask for jobs */
      if (peer->problem != NULL && (strcmp (peer->topic, jobs) == 0 ||
                                    g_str_has_prefix (peer->problem, JME_PEER_HANGS)))
        return g_strdup_printf ("the queue: %s\n", peer->problem);
    }

  return NULL;
}

/* --- for pages --- */

static void
news_free (gpointer data)
{
  JmeQueueNews *self = data;

  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    g_clear_pointer (&self->reports[i], jm_scheduler_report_unref);
  g_free (self->cluster);
  g_free (self->problem);
  g_free (self);
}

static JmeQueueNews *
make_news (const Asked *self)
{
  JmeQueueNews *news = g_new0 (JmeQueueNews, 1);
  g_autoptr (GError) error = get_error (self);

  news->problem = error != NULL ? g_strdup (error->message) : NULL;
  if (self->asker == NULL)
    return news;
  news->cluster = jm_cluster_asker_get_cluster (self->asker);
  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    news->reports[i] = jm_cluster_asker_get_report (self->asker, i, &news->age_us[i]);

  return news;
}

GPtrArray *
jme_queue_list_news (JmeQueue *self)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (news_free);

  for (guint i = 0; i < self->asked->len; i++)
    g_ptr_array_add (all, make_news (self->asked->pdata[i]));

  return all;
}

/* --- begin and end --- */

/* Its thread ends first. */
static void
asked_free (gpointer data)
{
  Asked *self = data;

  g_clear_pointer (&self->asker, jm_cluster_asker_free);
  close_store (self);
  jme_log_filter_free (self->log_filter);
  g_object_unref (self->scheduler);
  g_free (self->scheduler_name);
  g_free (self);
}

/* All ways to ask Slurm begin with its name. */
static char *
make_scheduler_name (const char *specification)
{
  return g_str_has_prefix (specification, SLURM)
           ? g_strdup (SLURM)
           : g_strndup (specification, strcspn (specification, ","));
}

/* An invalid specification is an error at once; the thread opens the scheduler later.
 */
static gboolean
add (JmeQueue *self,
     const JmSettings *settings,
     const char *specification,
     GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) reason = NULL;
  JmSource *source =
    jm_registry_make (JM_SOURCE_KIND_SCHEDULER, specification, host, &reason);
  Asked *asked;

  if (source == NULL)
    return jm_settings_refuse (settings, SCHEDULER, NULL, reason->message, error);

  asked = g_new0 (Asked, 1);
  asked->queue = self;
  asked->specification = specification;
  asked->scheduler = JM_SCHEDULER (source);
  asked->scheduler_name = make_scheduler_name (specification);
  asked->log_filter = jme_log_filter_new ();
  g_ptr_array_add (self->asked, asked);

  return TRUE;
}

JmeQueue *
jme_queue_new (const JmSettings *settings, const char *uri, GError **error)
{
  const char *const *specifications = jm_settings_get_list (settings, SCHEDULER);
  JmeQueue *self = g_new0 (JmeQueue, 1);

  g_mutex_init (&self->lock);
  self->uri = g_strdup (uri);
  self->asked = g_ptr_array_new_with_free_func (asked_free);
  self->pace.minimum_ms = MINIMUM_MS;
  for (guint i = 0; i < G_N_ELEMENTS (topics); i++)
    self->pace.interval_ms[topics[i]] = jm_settings_get_number (settings, INTERVAL);
  for (; specifications != NULL && *specifications != NULL; specifications++)
    if (!add (self, settings, *specifications, error))
      {
        jme_queue_free (self);
        return NULL;
      }

  return self;
}

void
jme_queue_start (JmeQueue *self)
{
  for (guint i = 0; i < self->asked->len; i++)
    {
      Asked *asked = self->asked->pdata[i];

      asked->asker =
        jm_cluster_asker_new (asked->scheduler, &self->pace, on_jobs, asked);
    }
}

void
jme_queue_free (JmeQueue *self)
{
  g_ptr_array_unref (self->asked);
  g_mutex_clear (&self->lock);
  g_free (self->uri);
  g_free (self);
}
