/* jme-cluster-role.c: the daemon that shows clusters as their schedulers do
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jme-roles.h"

#include "cluster/jm-cluster-settings-private.h"
#include "cluster/jme-cluster-answers.h"
#include "daemon/jme-log-filter.h"
#include "scrape/jme-metric-choice.h"
#include "scrape/jme-outlets.h"
#include "scrape/jme-sender.h"
#include "trace/jme-trace-figures.h"
#include "trace/jme-trace.h"
#include "web/jme-html.h"

/* Scrapers that come within this time of each other are sent the same. */
#define SCRAPE_MAX_AGE_MS 1000
/* What fails is logged within this time. */
#define LOOK_MS 1000
/* A node that comes is in the file within this time; when the daemon has begun, as soon
 * as all are known. */
#define DISCOVERY_MS 30000
#define FIRST_DISCOVERY_MS 1000
/* How long `--once` waits for what every scheduler says. */
#define ONCE_PATIENCE_MS 120000

#define NO_NODES "The nodes of some cluster are not known yet.\n"

typedef struct
{
  const JmSettings *settings;
  JmCluster *cluster;
  JmeOutlets *outlets;
  JmTextEncoder *otlp_encoder; /* NULL for none */
  JmeSender *otlp;             /* NULL for none */
  JmeTrace *trace;
  JmeLogFilter *log_filter;
  const char *metrics_path; /* the settings' */
  guint look;
  JmeDiscoveryFile *discovery_file; /* NULL where none is wanted */
  guint discovery;

  JmSnapshot *snapshot; /* that scrapers were sent last, or NULL */
  gint64 taken_us;
  char *lack; /* why there is none */
} ClusterRole;

/* --- what was answered --- */

static gboolean
is_recent (const ClusterRole *self)
{
  gint64 age_us = g_get_monotonic_time () - self->taken_us;

  return self->snapshot != NULL && age_us < (gint64) SCRAPE_MAX_AGE_MS * 1000;
}

static void
take_snapshot (ClusterRole *self)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->snapshot, jm_snapshot_unref);
  g_clear_pointer (&self->lack, g_free);
  self->snapshot = jm_cluster_sample (self->cluster, &error);
  self->taken_us = g_get_monotonic_time ();
  if (error != NULL)
    self->lack = g_strconcat (error->message, "\n", NULL);
}

/* Nobody is asked for it. NULL while no cluster is known: the lack says why. */
static JmSnapshot *
get_snapshot (ClusterRole *self)
{
  if (!is_recent (self))
    take_snapshot (self);

  return self->snapshot;
}

static void
report_error (ClusterRole *self, guint i, JmSchedulerTopic topic)
{
  g_autoptr (GError) error = jm_cluster_get_error (self->cluster, i, topic);
  const char *name = jm_scheduler_topic_get_name (topic);
  g_autofree char *about = g_strdup_printf ("%u %s", i, name);

  if (error == NULL)
    jme_log_filter_forget (self->log_filter, about);
  else if (jme_log_filter_is_new (self->log_filter, about, error->message))
    g_warning ("scheduler %s: %s; the last answer is still shown", name,
               error->message);
}

static void
report_errors (ClusterRole *self)
{
  guint n = jm_cluster_get_n_schedulers (self->cluster);

  for (guint i = 0; i < n; i++)
    for (JmSchedulerTopic topic = 0; topic < JM_N_SCHEDULER_TOPICS; topic++)
      report_error (self, i, topic);
}

static gboolean
on_look (gpointer user_data)
{
  report_errors (user_data);

  return G_SOURCE_CONTINUE;
}

/* --- pages --- */

static JmSnapshot *
get_snapshot_for (ClusterRole *self, JmeRequest *request)
{
  JmSnapshot *snapshot = get_snapshot (self);

  if (snapshot == NULL)
    jme_request_reply_text (request, 503, self->lack);

  return snapshot;
}

static void
on_metrics (JmeRequest *request, gpointer user_data)
{
  ClusterRole *self = user_data;
  JmCollectorSet collectors = { { 0 } };
  JmSnapshot *snapshot;

  if (!jme_outlets_accept (self->outlets, request, &collectors))
    return;

  snapshot = get_snapshot_for (self, request);
  if (snapshot != NULL)
    jme_outlets_reply (self->outlets, request, snapshot, &collectors,
                       SCRAPE_MAX_AGE_MS);
}

static void
on_page (JmeRequest *request, gpointer user_data)
{
  ClusterRole *self = user_data;
  JmSnapshot *snapshot = get_snapshot_for (self, request);
  g_autoptr (GBytes) body = NULL;

  if (snapshot == NULL)
    return;

  body =
    jme_cluster_page_render (snapshot, self->metrics_path,
                             jme_trace_is_wanted (self->trace) ? JME_TRACE_PATH : NULL);
  jme_html_reply (request, 200, body);
}

static JmeAccess
choose_trace_access (JmeRequest *request, gpointer user_data)
{
  ClusterRole *self = user_data;

  return jme_trace_choose_access (self->trace, request);
}

static void
on_trace (JmeRequest *request, gpointer user_data)
{
  ClusterRole *self = user_data;

  jme_trace_answer (self->trace, request);
}

/* Until the nodes of each cluster are known Prometheus goes on with those that it had.
 */
static gboolean
has_nodes (ClusterRole *self, JmSnapshot *snapshot)
{
  return jme_discovery_count_clusters (snapshot) >=
         jm_cluster_get_n_schedulers (self->cluster);
}

/* Returns: whether there is a file */
static gboolean
write_discovery (ClusterRole *self)
{
  JmSnapshot *snapshot = get_snapshot (self);
  const char *path = jme_discovery_get_path (self->settings);
  g_autoptr (GBytes) targets = NULL;
  g_autoptr (GError) error = NULL;

  if (snapshot == NULL || !has_nodes (self, snapshot))
    return FALSE;

  targets = jme_discovery_render (self->settings, snapshot);
  if (jme_discovery_file_write (self->discovery_file, targets, &error))
    jme_log_filter_forget (self->log_filter, path);
  else if (jme_log_filter_is_new (self->log_filter, path, error->message))
    g_warning ("--discovery.file: %s", error->message);

  return error == NULL;
}

static gboolean
on_discovery_due (gpointer user_data)
{
  ClusterRole *self = user_data;
  guint pause_ms = write_discovery (self) ? DISCOVERY_MS : FIRST_DISCOVERY_MS;

  self->discovery = g_timeout_add (pause_ms, on_discovery_due, self);

  return G_SOURCE_REMOVE;
}

static void
on_discovery (JmeRequest *request, gpointer user_data)
{
  ClusterRole *self = user_data;
  JmSnapshot *snapshot = get_snapshot_for (self, request);
  g_autoptr (GBytes) body = NULL;

  if (snapshot == NULL)
    return;
  if (!has_nodes (self, snapshot))
    {
      jme_request_reply_text (request, 503, NO_NODES);
      return;
    }

  body = jme_discovery_render (self->settings, snapshot);
  jme_request_reply (request, 200, "application/json", body);
}

static const char *
jme_cluster_role_why_not_ready (gpointer state)
{
  ClusterRole *self = state;

  return get_snapshot (self) == NULL ? self->lack : NULL;
}

static gboolean
has_answer (ClusterRole *self, guint i, JmSchedulerTopic topic)
{
  JmScheduler *scheduler = jm_cluster_get_scheduler (self->cluster, i);
  const JmSchedulerInterface *iface = JM_SCHEDULER_GET_IFACE (scheduler);
  g_autoptr (GError) error = jm_cluster_get_error (self->cluster, i, topic);

  return error == NULL &&
         (iface->has_topic == NULL || iface->has_topic (scheduler, topic));
}

/* What every scheduler failed to say is no figure of a cluster. */
static gboolean
has_any_answer (ClusterRole *self)
{
  guint n = jm_cluster_get_n_schedulers (self->cluster);

  for (guint i = 0; i < n; i++)
    for (JmSchedulerTopic topic = 0; topic < JM_N_SCHEDULER_TOPICS; topic++)
      if (has_answer (self, i, topic))
        return TRUE;

  return FALSE;
}

static int
jme_cluster_role_print_once (gpointer state)
{
  ClusterRole *self = state;
  JmSnapshot *snapshot;
  int status;

  jm_cluster_start (self->cluster);
  jm_cluster_wait_for_answers (self->cluster, ONCE_PATIENCE_MS);
  report_errors (self);
  snapshot = get_snapshot (self);

  status = snapshot != NULL ? jme_outlets_print (self->outlets, snapshot) : 1;

  return has_any_answer (self) ? status : 1;
}

/* --- the check --- */

static void
print_unread (const char *about, JmSchedulerReport *report)
{
  g_auto (GStrv) complaints = jm_scheduler_report_list_complaints (report);

  for (guint i = 0; complaints[i] != NULL; i++)
    g_print ("%s: passed over: %s\n", about, complaints[i]);
}

/* What is passed over is no failure: all else of the answer is shown. */
static gboolean
check_topic (ClusterRole *self, guint i, JmSchedulerTopic topic)
{
  JmScheduler *scheduler = jm_cluster_get_scheduler (self->cluster, i);
  const JmSchedulerInterface *iface = JM_SCHEDULER_GET_IFACE (scheduler);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSchedulerReport) report = NULL;
  g_autofree char *about = NULL;

  if (iface->has_topic != NULL && !iface->has_topic (scheduler, topic))
    return TRUE;

  report = jm_cluster_read (self->cluster, i, topic, NULL, &error);
  about = g_strdup_printf ("%s, %s", jm_scheduler_get_cluster (scheduler),
                           jm_scheduler_topic_get_name (topic));
  g_print ("%s: %s\n", about, error != NULL ? error->message : "read");
  if (report != NULL)
    print_unread (about, report);

  return report != NULL;
}

/* One that cannot be opened has no topics. */
static gboolean
check_scheduler (ClusterRole *self, guint i)
{
  JmScheduler *scheduler = jm_cluster_get_scheduler (self->cluster, i);
  g_autoptr (GError) error = NULL;
  gboolean is_well = TRUE;

  if (!g_initable_init (G_INITABLE (scheduler), NULL, &error))
    {
      g_print ("scheduler: %s\n", error->message);
      return FALSE;
    }
  for (JmSchedulerTopic topic = 0; topic < JM_N_SCHEDULER_TOPICS; topic++)
    is_well &= check_topic (self, i, topic);

  return is_well;
}

static int
jme_cluster_role_check (gpointer state)
{
  ClusterRole *self = state;
  gboolean is_well = TRUE;

  g_print ("settings: ok\n");
  for (guint i = 0; i < jm_cluster_get_n_schedulers (self->cluster); i++)
    is_well &= check_scheduler (self, i);

  return is_well ? 0 : 1;
}

/* --- the role --- */

static const JmeOtlpPresets otlp_presets = {
  .dialect = JME_NATIVE,
  .service = "jobmetrics-cluster",
  .buffer = "/var/lib/jobmetrics-cluster/otlp",
};

static void
jme_cluster_role_add_settings (JmSettings *settings)
{
  jm_cluster_settings_add (settings);
  jme_discovery_add_settings (settings);
  jme_metric_choice_add_settings (settings);
  jme_outlets_add_settings (settings);
  jme_otlp_add_settings (settings, &otlp_presets);
  jme_trace_add_settings (settings);
}

static gboolean
match_further (const char *pattern)
{
  return jme_trace_figures_match (pattern) || jme_otlp_match (pattern);
}

static JmTextEncoder *
make_encoder (const JmSettings *settings, GError **error)
{
  return jme_metric_choice_make_encoder (settings, match_further, error);
}

static void
jme_cluster_role_close (gpointer state)
{
  ClusterRole *self = state;

  g_clear_pointer (&self->otlp, jme_sender_stop);
  g_clear_handle_id (&self->look, g_source_remove);
  g_clear_handle_id (&self->discovery, g_source_remove);
  g_clear_pointer (&self->discovery_file, jme_discovery_file_free);
  g_clear_pointer (&self->snapshot, jm_snapshot_unref);
  g_clear_pointer (&self->lack, g_free);
  g_clear_object (&self->cluster);
  g_clear_object (&self->otlp_encoder);
  g_clear_pointer (&self->outlets, jme_outlets_free);
  g_clear_pointer (&self->trace, jme_trace_free);
  jme_log_filter_free (self->log_filter);
  g_free (self);
}

static gpointer
jme_cluster_role_open (const JmSettings *settings, GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  ClusterRole *self = g_new0 (ClusterRole, 1);

  self->log_filter = jme_log_filter_new ();
  self->settings = settings;
  self->metrics_path = jm_settings_get_text (settings, JME_TELEMETRY_SETTING);
  self->outlets = jme_outlets_new (settings, host, make_encoder, error);
  if (self->outlets != NULL && jme_discovery_check (settings, error) &&
      jme_otlp_open (&self->otlp_encoder, settings, self->outlets, error))
    self->trace = jme_trace_open (settings, error);
  if (self->trace != NULL)
    self->cluster = jm_cluster_settings_make (settings, error);
  if (self->cluster != NULL)
    {
      jme_answers_add_further (jme_outlets_get_main (self->outlets),
                               jme_trace_append_figures, self->trace);
      return self;
    }

  jme_cluster_role_close (self);

  return NULL;
}

static JmSnapshot *
get_snapshot_to_send (gpointer user_data)
{
  JmSnapshot *snapshot = get_snapshot (user_data);

  return snapshot != NULL ? jm_snapshot_ref (snapshot) : NULL;
}

static void
jme_cluster_role_start (gpointer state)
{
  ClusterRole *self = state;

  jm_cluster_start (self->cluster);
  self->otlp = jme_otlp_start (self->settings, self->otlp_encoder,
                               jme_outlets_get_main (self->outlets));
  if (self->otlp != NULL)
    jme_sender_run (self->otlp, get_snapshot_to_send, self);
  self->look = g_timeout_add (LOOK_MS, on_look, self);
  if (jme_discovery_get_path (self->settings) == NULL)
    return;

  self->discovery_file =
    jme_discovery_file_new (jme_discovery_get_path (self->settings));
  self->discovery = g_timeout_add (FIRST_DISCOVERY_MS, on_discovery_due, self);
}

static const JmeRoute routes[] = {
  { .path = "/", .handler = on_page },
  JME_TRACE_ROUTE (choose_trace_access, on_trace),
  { .path = "/discovery", .handler = on_discovery },
  { .path = JME_TELEMETRY_PATH, .handler = on_metrics },
  { .path = JME_DIALECT_PATH, .is_prefix = TRUE, .handler = on_metrics },
  { NULL },
};

const JmeRole jme_cluster_role = {
  .name = "cluster",
  .summary = "shows the queue and the nodes of clusters, as their schedulers do",
  .listen_address = ":9011",
  .add_settings = jme_cluster_role_add_settings,
  .open = jme_cluster_role_open,
  .start = jme_cluster_role_start,
  .why_not_ready = jme_cluster_role_why_not_ready,
  .check = jme_cluster_role_check,
  .print_once = jme_cluster_role_print_once,
  .routes = routes,
  .close = jme_cluster_role_close,
};
