/* jm-cluster.c: the whole truth about some clusters
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "cluster/jm-cluster-settings-private.h"

#include "base/jm-error.h"
#include "cluster/jm-cluster-targets-private.h"
#include "host/jm-source-private.h"
#include "registry/jm-registry-private.h"
#include "schedulers/jm-scheduler-report-private.h"

#define USUAL_SCHEDULER "slurm"
/* What changes seldom is asked for so many times as seldom. */
#define SELDOM 5
/* Between two questions, whatever they are about. */
#define MINIMUM_MS 1000

/**
 * JmCluster:
 *
 * Some clusters, each asked through its scheduler. Either they are asked at once, in
 * the caller's thread, by jm_cluster_read() and jm_cluster_sample(); or, after
 * jm_cluster_start(), in the background, as often as #JmCluster:interval has it and no
 * more, and jm_cluster_sample() returns what they answered last.
 *
 * A wrong setting is an error of `g_initable_init()`; a scheduler that does not
 * answer is none.
 *
 * Since: 0.1
 */
struct _JmCluster
{
  GObject parent_instance;

  char **specifications;
  guint interval_ms;
  guint max_names;
  char *targets_file;

  GPtrArray *targets; /* of JmClusterTarget, or NULL */
  JmClusterJobsFunc jobs_func;
  gpointer jobs_data;
  GPtrArray *schedulers; /* of JmScheduler */
  GPtrArray *askers;     /* of JmClusterAsker, one of each; NULL before the start */
  GPtrArray *errors; /* of GError, what was asked at once: topics of each, or NULL */
};

enum
{
  PROP_SCHEDULERS = 1,
  PROP_INTERVAL,
  PROP_MAX_NAMES,
  PROP_TARGETS_FILE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static void initable_iface_init (GInitableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmCluster,
                               jm_cluster,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_INITABLE,
                                                      initable_iface_init))

/* --- making it --- */

static gboolean
add_specification (JmCluster *self, const char *specification, GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  JmSource *source =
    jm_registry_make (JM_SOURCE_KIND_SCHEDULER, specification, host, error);

  if (source != NULL)
    g_ptr_array_add (self->schedulers, source);

  return source != NULL;
}

static gboolean
jm_cluster_initable_init (GInitable *initable,
                          GCancellable *cancellable,
                          GError **error)
{
  static const char *const usual[] = { USUAL_SCHEDULER, NULL };
  JmCluster *self = JM_CLUSTER (initable);
  const char *const *specifications =
    self->specifications != NULL ? (const char *const *) self->specifications : usual;

  for (const char *const *p = specifications; *p != NULL; p++)
    if (!add_specification (self, *p, error))
      return FALSE;
  if (self->targets_file != NULL)
    self->targets = jm_cluster_targets_read (self->targets_file, error);

  return self->targets_file == NULL || self->targets != NULL;
}

static void
initable_iface_init (GInitableIface *iface)
{
  iface->init = jm_cluster_initable_init;
}

static void
jm_cluster_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  JmCluster *self = JM_CLUSTER (object);

  switch (id)
    {
    case PROP_SCHEDULERS:
      g_value_set_boxed (value, self->specifications);
      break;
    case PROP_INTERVAL:
      g_value_set_uint (value, self->interval_ms);
      break;
    case PROP_MAX_NAMES:
      g_value_set_uint (value, self->max_names);
      break;
    case PROP_TARGETS_FILE:
      g_value_set_string (value, self->targets_file);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
jm_cluster_set_property (GObject *object,
                         guint id,
                         const GValue *value,
                         GParamSpec *pspec)
{
  JmCluster *self = JM_CLUSTER (object);

  switch (id)
    {
    case PROP_SCHEDULERS:
      self->specifications = g_value_dup_boxed (value);
      break;
    case PROP_INTERVAL:
      self->interval_ms = g_value_get_uint (value);
      break;
    case PROP_MAX_NAMES:
      self->max_names = g_value_get_uint (value);
      break;
    case PROP_TARGETS_FILE:
      self->targets_file = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
jm_cluster_finalize (GObject *object)
{
  JmCluster *self = JM_CLUSTER (object);

  g_clear_pointer (&self->askers, g_ptr_array_unref);
  g_clear_pointer (&self->errors, g_ptr_array_unref);
  g_clear_pointer (&self->targets, g_ptr_array_unref);
  g_ptr_array_unref (self->schedulers);
  g_free (self->targets_file);
  g_strfreev (self->specifications);

  G_OBJECT_CLASS (jm_cluster_parent_class)->finalize (object);
}

static void
jm_cluster_class_init (JmClusterClass *klass)
{
  const GParamFlags flags =
    G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = jm_cluster_get_property;
  object_class->set_property = jm_cluster_set_property;
  object_class->finalize = jm_cluster_finalize;

  /**
   * JmCluster:schedulers:
   *
   * Whom to ask: each a name, perhaps with properties, such as
   * `slurm,cluster=alpha,directory=/opt/slurm/bin`. By default the Slurm that this
   * machine is configured for. An empty list is for schedulers that
   * jm_cluster_add_scheduler() adds.
   *
   * Since: 0.1
   */
  properties[PROP_SCHEDULERS] =
    g_param_spec_boxed ("schedulers", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * JmCluster:interval:
   *
   * Milliseconds between two questions about jobs, or nodes; what changes seldom is
   * asked for five times as seldom. Of a scheduler that is slow or fails, it is more.
   *
   * Since: 0.1
   */
  properties[PROP_INTERVAL] = g_param_spec_uint ("interval", NULL, NULL, 1, G_MAXUINT,
                                                 JM_CLUSTER_DEFAULT_INTERVAL_MS, flags);

  /**
   * JmCluster:max-names:
   *
   * How many accounts, and how many users, of a cluster have figures of their own; all
   * others are one.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_NAMES] = g_param_spec_uint ("max-names", NULL, NULL, 0, G_MAXUINT,
                                                  JM_CLUSTER_DEFAULT_MAX_NAMES, flags);

  /**
   * JmCluster:targets-file:
   *
   * Path of a key file with the CPU or GPU years that the site has agreed on, such as
   * for an account. It is read once. By default there is none.
   *
   * Since: 0.1
   */
  properties[PROP_TARGETS_FILE] =
    g_param_spec_string ("targets-file", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
jm_cluster_init (JmCluster *self)
{
  self->schedulers = g_ptr_array_new_with_free_func (g_object_unref);
}

/* --- whom to ask --- */

/**
 * jm_cluster_add_scheduler:
 * @self: a cluster that is not started
 * @scheduler: a scheduler, perhaps written in another language
 *
 * Adds one to those of #JmCluster:schedulers, behind them.
 *
 * Since: 0.1
 */
void
jm_cluster_add_scheduler (JmCluster *self, JmScheduler *scheduler)
{
  g_return_if_fail (JM_IS_CLUSTER (self));
  g_return_if_fail (JM_IS_SCHEDULER (scheduler));
  g_return_if_fail (self->askers == NULL);

  g_ptr_array_add (self->schedulers, g_object_ref (scheduler));
}

/**
 * jm_cluster_get_n_schedulers:
 * @self: a cluster
 *
 * Counts those that are asked.
 *
 * Returns: how many
 * Since: 0.1
 */
guint
jm_cluster_get_n_schedulers (JmCluster *self)
{
  g_return_val_if_fail (JM_IS_CLUSTER (self), 0);

  return self->schedulers->len;
}

/**
 * jm_cluster_get_scheduler:
 * @self: a cluster
 * @i: which, from 0 on
 *
 * Gets one of those that are asked. It may not be open yet: then it does not know its
 * cluster's name.
 *
 * Returns: (transfer none): the scheduler
 * Since: 0.1
 */
JmScheduler *
jm_cluster_get_scheduler (JmCluster *self, guint i)
{
  g_return_val_if_fail (JM_IS_CLUSTER (self), NULL);
  g_return_val_if_fail (i < self->schedulers->len, NULL);

  return self->schedulers->pdata[i];
}

/* --- asking at once --- */

/**
 * jm_cluster_read:
 * @self: a cluster that is not started
 * @i: which of its schedulers, from 0 on
 * @topic: what to ask for
 * @cancellable: (nullable): to give it up
 * @error: return location for an error
 *
 * Asks a scheduler, and waits for what it says.
 *
 * - Errors: those of jm_scheduler_read(), and of opening the scheduler: `ABSENT` where
 *   its commands are not there.
 *
 * Returns: (transfer full): what it said
 * Since: 0.1
 */
JmSchedulerReport *
jm_cluster_read (JmCluster *self,
                 guint i,
                 JmSchedulerTopic topic,
                 GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (JmSchedulerReport) report = NULL;
  JmScheduler *scheduler;

  g_return_val_if_fail (JM_IS_CLUSTER (self), NULL);
  g_return_val_if_fail (self->askers == NULL, NULL);
  g_return_val_if_fail (i < self->schedulers->len, NULL);

  scheduler = self->schedulers->pdata[i];
  report = jm_scheduler_report_new (topic);
  if (!g_initable_init (G_INITABLE (scheduler), cancellable, error) ||
      !jm_scheduler_read (scheduler, topic, report, cancellable, error))
    return NULL;

  return g_steal_pointer (&report);
}

/* --- asking in the background --- */

void
jm_cluster_hand_on_jobs (JmCluster *self, JmClusterJobsFunc func, gpointer user_data)
{
  self->jobs_func = func;
  self->jobs_data = user_data;
}

static JmClusterPace
make_pace (const JmCluster *self)
{
  JmClusterPace pace = { .minimum_ms = MIN (MINIMUM_MS, self->interval_ms) };

  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    {
      gboolean is_quick = i == JM_SCHEDULER_TOPIC_JOBS || i == JM_SCHEDULER_TOPIC_NODES;

      pace.interval_ms[i] = is_quick ? self->interval_ms : SELDOM * self->interval_ms;
    }

  return pace;
}

/**
 * jm_cluster_start:
 * @self: a cluster
 *
 * Begins to ask, each scheduler in a thread of its own, until @self is freed.
 *
 * Since: 0.1
 */
void
jm_cluster_start (JmCluster *self)
{
  JmClusterPace pace;

  g_return_if_fail (JM_IS_CLUSTER (self));
  g_return_if_fail (self->askers == NULL);

  pace = make_pace (self);
  self->askers =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_cluster_asker_free);
  for (guint i = 0; i < self->schedulers->len; i++)
    g_ptr_array_add (self->askers,
                     jm_cluster_asker_new (self->schedulers->pdata[i], &pace,
                                           self->jobs_func, self->jobs_data));
}

/**
 * jm_cluster_wait_for_answers:
 * @self: a cluster that was started
 * @timeout_ms: milliseconds to wait at most
 *
 * Waits until everything was asked for once, whatever came of it.
 *
 * Returns: whether it was
 * Since: 0.1
 */
gboolean
jm_cluster_wait_for_answers (JmCluster *self, guint timeout_ms)
{
  gint64 end_us = g_get_monotonic_time () + (gint64) timeout_ms * 1000;
  gboolean has_asked = TRUE;

  g_return_val_if_fail (JM_IS_CLUSTER (self), FALSE);
  g_return_val_if_fail (self->askers != NULL, FALSE);

  for (guint i = 0; i < self->askers->len; i++)
    has_asked &= jm_cluster_asker_wait (self->askers->pdata[i], 1,
                                        MAX (0, end_us - g_get_monotonic_time ()));

  return has_asked;
}

/* --- all that is known --- */

static void
set_error (JmCluster *self, guint i, JmSchedulerTopic topic, GError *error)
{
  GError **kept = (GError **) &self->errors->pdata[i * JM_N_SCHEDULER_TOPICS + topic];

  g_clear_error (kept);
  *kept = error;
}

/* Whether it has the topic, whatever came of asking. */
static gboolean
ask_for (JmCluster *self, guint i, JmSchedulerTopic topic, JmClusterAnswer *answer)
{
  gint64 began_us = g_get_monotonic_time ();
  GError *error = NULL;

  set_error (self, i, topic, NULL);
  if (!jm_scheduler_has_topic (self->schedulers->pdata[i], topic))
    return FALSE;

  answer->report = jm_cluster_read (self, i, topic, NULL, &error);
  answer->is_asked = TRUE;
  answer->has_succeeded = answer->report != NULL;
  answer->duration_us = (guint64) (g_get_monotonic_time () - began_us);
  answer->n_failures = answer->report == NULL;
  set_error (self, i, topic, error);

  return TRUE;
}

/* One that cannot be opened is asked once only. */
static void
ask_all (JmCluster *self, guint i, JmClusterSums *sums)
{
  JmClusterAnswer answers[JM_N_SCHEDULER_TOPICS] = { { NULL } };
  JmScheduler *scheduler = self->schedulers->pdata[i];

  for (JmSchedulerTopic topic = 0; topic < JM_N_SCHEDULER_TOPICS; topic++)
    if (ask_for (self, i, topic, &answers[topic]) &&
        !jm_source_is_open (JM_SOURCE (scheduler)))
      return;
  jm_cluster_sums_add (sums, jm_scheduler_get_cluster (scheduler), answers);
  for (JmSchedulerTopic topic = 0; topic < JM_N_SCHEDULER_TOPICS; topic++)
    g_clear_pointer (&answers[topic].report, jm_scheduler_report_unref);
}

static void
free_error (gpointer error)
{
  if (error != NULL)
    g_error_free (error);
}

static void
add_answers (JmCluster *self, JmClusterSums *sums)
{
  if (self->askers == NULL && self->errors == NULL)
    self->errors = g_ptr_array_new_with_free_func (free_error);
  if (self->askers == NULL)
    g_ptr_array_set_size (self->errors,
                          (gint) (self->schedulers->len * JM_N_SCHEDULER_TOPICS));
  for (guint i = 0; i < self->schedulers->len; i++)
    if (self->askers != NULL)
      jm_cluster_asker_tell (self->askers->pdata[i], sums);
    else
      ask_all (self, i, sums);
}

static gboolean
refuse_unknown (JmCluster *self, GError **error)
{
  for (guint i = 0; i < self->schedulers->len; i++)
    {
      GError *reason = jm_cluster_get_error (self, i, JM_SCHEDULER_TOPIC_JOBS);

      if (reason != NULL)
        {
          g_propagate_error (error, reason);
          return FALSE;
        }
    }
  g_set_error_literal (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                       "no scheduler has answered yet");

  return FALSE;
}

/**
 * jm_cluster_sample:
 * @self: a cluster
 * @error: return location for an error
 *
 * Puts together what the schedulers say. Of a cluster that was started, that is what
 * they said last, however old that is, whoever fails or hangs, and no peer is asked.
 * Else each is asked for everything now.
 *
 * - Errors: while no cluster is known by name, why that is.
 *
 * Returns: (transfer full): all that is known
 * Since: 0.1
 */
JmSnapshot *
jm_cluster_sample (JmCluster *self, GError **error)
{
  gint64 began_us = g_get_monotonic_time ();
  g_autoptr (JmClusterSums) sums = NULL;
  JmSnapshot *snapshot;

  g_return_val_if_fail (JM_IS_CLUSTER (self), NULL);

  sums = jm_cluster_sums_new (self->max_names, g_get_real_time ());
  jm_cluster_sums_set_targets (sums, self->targets);
  add_answers (self, sums);
  snapshot =
    jm_cluster_sums_make_snapshot (sums, (g_get_monotonic_time () - began_us) * 1000);
  if (snapshot == NULL)
    refuse_unknown (self, error);

  return snapshot;
}

/**
 * jm_cluster_get_error:
 * @self: a cluster that was started, or of which a sample was taken
 * @i: which of its schedulers, from 0 on
 * @topic: what it was asked for
 *
 * Gets why the last question failed.
 *
 * Returns: (transfer full) (nullable): the reason, or %NULL where it did not fail
 * Since: 0.1
 */
GError *
jm_cluster_get_error (JmCluster *self, guint i, JmSchedulerTopic topic)
{
  const GError *error;

  g_return_val_if_fail (JM_IS_CLUSTER (self), NULL);
  g_return_val_if_fail (self->askers != NULL || self->errors != NULL, NULL);
  g_return_val_if_fail (i < self->schedulers->len, NULL);
  g_return_val_if_fail ((guint) topic < JM_N_SCHEDULER_TOPICS, NULL);

  if (self->askers != NULL)
    return jm_cluster_asker_get_error (self->askers->pdata[i], topic);

  error = self->errors->pdata[i * JM_N_SCHEDULER_TOPICS + topic];

  return error != NULL ? g_error_copy (error) : NULL;
}
