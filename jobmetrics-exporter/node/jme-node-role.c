/* jme-node-role.c: the daemon that shows the jobs of a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jme-roles.h"

#include "base/jm-error.h"
#include "base/jm-settings-private.h"
#include "daemon/jme-log-filter.h"
#include "expose/jm-text-encoder.h"
#include "node/jm-node-private.h"
#include "node/jm-node-settings-private.h"
#include "node/jm-sampler.h"
#include "node/jme-node-answers.h"
#include "node/jme-node-ledger.h"
#include "node/jme-node-push.h"
#include "scrape/jme-metric-choice.h"
#include "scrape/jme-outlets.h"
#include "web/jme-html.h"

#define JOB_LABEL "metrics.job-label"
#define INFO_LABEL "metrics.info-label"

static const JmSetting rows[] = {
  { .name = JOB_LABEL,
    .group = "metrics",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "NAME",
    .help = "Label of each series of a job besides jobid: uuid, cluster, scheduler" },
  { .name = INFO_LABEL,
    .group = "metrics",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "NAME",
    .help = "Label of jobmetrics_job_info" },
};

/* Scrapers that come within this time of each other see the same sweep. */
#define SCRAPE_MAX_AGE_MS 250
/* A sweep that takes longer than this, for a file that hangs, does not keep scrapers
 * waiting: they get the last one. */
#define PATIENCE_MS 5000
/* Nor does it keep a hook, which delays its job by that. */
#define HOOK_PATIENCE_MS 2000
/* Nor does it keep the daemon from its end, which takes 2 s: half of them are left for
 * the ledger, which has what the sweep does not take. */
#define END_PATIENCE_MS 1000
#define END_US (1900 * G_TIME_SPAN_MILLISECOND)

#define NO_SWEEP "No sweep is done yet.\n"
#define HANGS "The sweep of the node hangs: the figures are old.\n"

typedef struct
{
  const JmSettings *settings;
  JmeNodeLedger ledger;
  JmNode *node;
  guint interval_ms;
  const char *metrics_path; /* the settings' */
  JmeLedgerPage ledger_page;
  JmSampler *sampler; /* to which the node belongs once it has started */
  JmeOutlets *outlets;
  JmeNodePush *push;           /* NULL for none */
  JmeSender *remote_write;     /* NULL for none */
  JmTextEncoder *otlp_encoder; /* NULL for none */
  JmeSender *otlp;             /* NULL for none */
  JmeLogFilter *log_filter;
  JmCollectorSet denied; /* collectors for which that was logged */
} NodeRole;

typedef struct _Visit Visit;

/* Somebody who waits for a sweep. */
struct _Visit
{
  NodeRole *role;
  JmeRequest *request;
  void (*reply) (Visit *self, JmSnapshot *snapshot);
  JmCollectorSet collectors; /* that a scraper wants */
  GCancellable *cancellable;
  guint patience;
};

/* --- metrics of a scrape --- */

static void
add_encoder_settings (JmSettings *settings)
{
  jme_metric_choice_add_settings (settings);
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

static gboolean
match_further (const char *pattern)
{
  return jme_node_push_match (pattern) || jme_node_remote_write_match (pattern) ||
         jme_otlp_match (pattern);
}

/* Errors: `INVALID` for a metric or a label that does not exist. */
static JmTextEncoder *
make_encoder (const JmSettings *settings, GError **error)
{
  const char *const *fields = jm_settings_get_list (settings, INFO_LABEL);
  g_autoptr (JmMetricSelection) selection =
    jme_metric_choice_new (settings, match_further, error);
  const char *node_name = jm_settings_get_text (settings, "node.name");
  JmTextEncoder *encoder;

  if (selection == NULL ||
      !jme_metric_choice_check (settings, JOB_LABEL, jm_text_encoder_check_job_field,
                                error) ||
      !jme_metric_choice_check (settings, INFO_LABEL, jm_text_encoder_check_info_field,
                                error))
    return NULL;

  encoder = jm_text_encoder_new ();
  g_object_set (encoder, "decided-only", !jm_settings_get_flag (settings, "once"),
                "node-name", node_name != NULL ? node_name : g_get_host_name (), NULL);
  jm_text_encoder_set_selection (encoder, selection);
  jm_text_encoder_set_job_fields (encoder, jm_settings_get_list (settings, JOB_LABEL));
  if (fields != NULL)
    jm_text_encoder_set_info_fields (encoder, fields);

  return encoder;
}

/* --- waiting for a sweep --- */

static void
visit_free (Visit *visit)
{
  g_clear_handle_id (&visit->patience, g_source_remove);
  g_object_unref (visit->cancellable);
  g_object_unref (visit->request);
  g_free (visit);
}

/* Nothing is written for a client that has gone. */
static void
answer (Visit *visit, JmSnapshot *snapshot)
{
  if (g_cancellable_is_cancelled (jme_request_get_cancellable (visit->request)))
    return;

  if (snapshot != NULL)
    visit->reply (visit, snapshot);
  else
    jme_request_reply_text (visit->request, 503, NO_SWEEP);
}

static void
report_hang (NodeRole *self)
{
  if (jme_log_filter_is_new (self->log_filter, "sweep", HANGS))
    g_warning ("the sweep of the node takes more than %d s: until it ends, scrapers "
               "get "
               "the figures of the one before",
               PATIENCE_MS / 1000);
}

static void
answer_with_latest (Visit *visit)
{
  g_autoptr (JmSnapshot) latest = jm_sampler_get_latest (visit->role->sampler);

  answer (visit, latest);
}

static void
on_sampled (GObject *sampler, GAsyncResult *result, gpointer user_data)
{
  Visit *visit = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSnapshot) snapshot = NULL;

  snapshot = jm_sampler_sample_finish (JM_SAMPLER (sampler), result, &error);
  if (snapshot != NULL)
    {
      jme_log_filter_forget (visit->role->log_filter, "sweep");
      answer (visit, snapshot);
    }
  else
    answer_with_latest (visit);

  visit_free (visit);
}

static gboolean
on_patience_gone (gpointer user_data)
{
  Visit *visit = user_data;

  visit->patience = 0;
  report_hang (visit->role);
  g_cancellable_cancel (visit->cancellable);

  return G_SOURCE_REMOVE;
}

/* Milliseconds that a sweep may still take: it may hang since long ago. */
static guint
get_patience_ms (NodeRole *self)
{
  gint64 busy_ms = jm_sampler_get_busy_us (self->sampler) / 1000;

  return (guint) CLAMP (PATIENCE_MS - busy_ms, 0, PATIENCE_MS);
}

static Visit *
visit_new (NodeRole *self, JmeRequest *request)
{
  Visit *visit = g_new0 (Visit, 1);

  visit->role = self;
  visit->request = g_object_ref (request);
  visit->cancellable = g_cancellable_new ();
  g_signal_connect_object (jme_request_get_cancellable (request), "cancelled",
                           G_CALLBACK (g_cancellable_cancel), visit->cancellable,
                           G_CONNECT_SWAPPED);

  return visit;
}

/* Answers with a snapshot that is not older than @max_age_ms, unless a sweep hangs. */
static void
wait_for_sweep (NodeRole *self,
                JmeRequest *request,
                guint max_age_ms,
                const JmCollectorSet *collectors,
                void (*reply) (Visit *visit, JmSnapshot *snapshot))
{
  guint patience_ms = get_patience_ms (self);
  Visit *visit = visit_new (self, request);

  visit->reply = reply;
  if (collectors != NULL)
    visit->collectors = *collectors;
  if (patience_ms == 0)
    {
      report_hang (self);
      answer_with_latest (visit);
      visit_free (visit);
      return;
    }

  visit->patience = g_timeout_add (patience_ms, on_patience_gone, visit);
  jm_sampler_sample_async (self->sampler, max_age_ms, visit->cancellable, on_sampled,
                           visit);
}

/* --- /metrics --- */

/* A right that is lacking is lacking for each new job, too, whose processes have other
 * paths: that is logged once. */
static gboolean
is_new (NodeRole *self, guint collector, const GError *error)
{
  if (!g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    return jme_log_filter_is_new (self->log_filter, jm_collector_get_name (collector),
                                  error->message);
  if (jm_collector_set_has (&self->denied, collector))
    return FALSE;

  jm_collector_set_add (&self->denied, collector);

  return TRUE;
}

/* Of every sweep, as one that no scrape shows may have failed, too. */
static void
report_errors (NodeRole *self, JmSnapshot *snapshot)
{
  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    {
      const GError *error = jm_snapshot_get_error (snapshot, i);
      const char *name = jm_collector_get_name (i);

      if (error == NULL)
        jme_log_filter_forget (self->log_filter, name);
      else if (is_new (self, i, error))
        g_warning ("collector %s: %s", name, error->message);
    }
}

static void
on_sweep (JmSampler *sampler, JmSnapshot *snapshot, gpointer user_data)
{
  NodeRole *self = user_data;

  report_errors (self, snapshot);
  if (self->push != NULL)
    jme_node_push_sweep (self->push, snapshot);
  if (self->remote_write != NULL)
    jme_sender_add (self->remote_write, snapshot);
  if (self->otlp != NULL)
    jme_sender_add (self->otlp, snapshot);
}

static void
reply_metrics (Visit *visit, JmSnapshot *snapshot)
{
  jme_outlets_reply (visit->role->outlets, visit->request, snapshot, &visit->collectors,
                     SCRAPE_MAX_AGE_MS);
}

static void
on_metrics (JmeRequest *request, gpointer user_data)
{
  JmCollectorSet collectors = { { 0 } };
  NodeRole *self = user_data;

  if (jme_outlets_accept (self->outlets, request, &collectors))
    wait_for_sweep (self, request, SCRAPE_MAX_AGE_MS, &collectors, reply_metrics);
}

/* --- the other pages --- */

static void
reply_page (Visit *visit, JmSnapshot *snapshot)
{
  g_autoptr (JmSnapshot) previous = jm_sampler_get_previous (visit->role->sampler);
  g_autoptr (JmSnapshot) latest = jm_sampler_get_latest (visit->role->sampler);
  /* a sweep may have come since */
  g_autoptr (GBytes) body = jme_node_page_render (latest == snapshot ? previous : NULL,
                                                  snapshot, visit->role->metrics_path);

  jme_html_reply (visit->request, 200, body);
}

/* People see the last sweep; only right after the start they wait for the first. */
static void
on_page (JmeRequest *request, gpointer user_data)
{
  wait_for_sweep (user_data, request, G_MAXUINT, 0, reply_page);
}

/* A job is read in the same way when it has just begun and when it is about to end. */
static void
on_hook (JmeRequest *request, gpointer user_data)
{
  NodeRole *self = user_data;

  jme_hook_page_answer (self->sampler, request, HOOK_PATIENCE_MS);
}

static void
on_ledger (JmeRequest *request, gpointer user_data)
{
  NodeRole *self = user_data;

  jme_ledger_page_answer (&self->ledger_page, request);
}

static void
on_ledger_status (JmeRequest *request, gpointer user_data)
{
  NodeRole *self = user_data;

  jme_ledger_status_answer (&self->ledger, request);
}

static gint64
jme_node_role_get_busy_us (gpointer state)
{
  NodeRole *self = state;

  return jm_sampler_get_busy_us (self->sampler);
}

static const char *
jme_node_role_why_not_ready (gpointer state)
{
  NodeRole *self = state;
  g_autoptr (JmSnapshot) snapshot = jm_sampler_get_latest (self->sampler);

  if (snapshot == NULL)
    return NO_SWEEP;

  return get_patience_ms (self) == 0 ? HANGS : NULL;
}

/* --- one scrape --- */

/* Power that is found from two readings of a counter is not in it. */
static JmSnapshot *
sample_once (JmNode *node)
{
  jm_node_wait_for_answers (node, PATIENCE_MS);

  return jm_node_sample (node, NULL, NULL);
}

static int
jme_node_role_print_once (gpointer state)
{
  NodeRole *self = state;
  g_autoptr (JmSnapshot) snapshot = sample_once (self->node);

  report_errors (self, snapshot);

  return jme_outlets_print (self->outlets, snapshot);
}

/* --- the role --- */

static const JmSetting interval = {
  .name = "sample.interval",
  .group = "sweep",
  .kind = JM_SETTING_DURATION,
  .argument = "SECONDS",
  .help = "Time between two sweeps",
  .preset = "5",
  .low = 0.1,
  .high = 3600,
};

static const JmeOtlpPresets otlp_presets = {
  .dialect = "opentelemetry",
  .service = "jobmetrics",
  .buffer = "/var/lib/jobmetrics-exporter/otlp",
};

static void
jme_node_role_add_settings (JmSettings *settings)
{
  jm_settings_add (settings, &interval);
  jm_node_settings_add (settings);
  add_encoder_settings (settings);
  jme_outlets_add_settings (settings);
  jme_node_push_add_settings (settings);
  jme_node_ledger_add_settings (settings);
  jme_ledger_page_add_settings (settings);
  jme_node_remote_write_add_settings (settings);
  jme_otlp_add_settings (settings, &otlp_presets);
}

static void
log_problems (JmNode *node)
{
  g_auto (GStrv) problems = jm_node_list_problems (node);

  for (char **p = problems; *p != NULL; p++)
    g_warning ("%s", *p);
}

static JmNode *
open_node (const JmSettings *settings, GError **error)
{
  g_autoptr (JmHost) host = jm_node_settings_make_host (settings);

  return jm_node_settings_make_node (settings, error, "host", host, NULL);
}

static gboolean
open_outlets (NodeRole *self, const JmSettings *settings, GError **error)
{
  g_autoptr (JmHost) host = jm_node_settings_make_host (settings);

  self->outlets = jme_outlets_new (settings, host, make_encoder, error);

  return self->outlets != NULL &&
         jme_node_push_open (&self->push, settings, self->outlets, error) &&
         jme_node_remote_write_check (settings, error) &&
         jme_otlp_open (&self->otlp_encoder, settings, self->outlets, error);
}

static void
jme_node_role_close (gpointer state)
{
  NodeRole *self = state;
  const gint64 until_us = g_get_monotonic_time () + END_US;

  if (self->sampler != NULL)
    g_signal_handlers_disconnect_by_data (self->sampler, self);
  if (self->sampler != NULL && !jm_sampler_stop_within (self->sampler, END_PATIENCE_MS))
    g_warning ("a sweep of the node that hangs is left behind");
  g_clear_object (&self->sampler);
  g_clear_object (&self->node);
  jme_node_ledger_close (&self->ledger, MAX (until_us - g_get_monotonic_time (), 0));
  g_clear_pointer (&self->remote_write, jme_sender_stop);
  g_clear_pointer (&self->otlp, jme_sender_stop);
  g_clear_object (&self->otlp_encoder);
  g_clear_pointer (&self->push, jme_node_push_free);
  g_clear_pointer (&self->outlets, jme_outlets_free);
  jme_log_filter_free (self->log_filter);
  g_free (self);
}

static gpointer
jme_node_role_open (const JmSettings *settings, GError **error)
{
  NodeRole *self = g_new0 (NodeRole, 1);

  self->settings = settings;
  self->log_filter = jme_log_filter_new ();
  jme_node_ledger_init (&self->ledger);
  if (open_outlets (self, settings, error))
    self->node = open_node (settings, error);
  if (self->node == NULL)
    {
      jme_node_role_close (self);
      return NULL;
    }
  log_problems (self->node);

  self->interval_ms = jm_settings_get_number (settings, interval.name);
  self->metrics_path = jm_settings_get_text (settings, JME_TELEMETRY_SETTING);

  return self;
}

static void
jme_node_role_start (gpointer state)
{
  NodeRole *self = state;

  jm_node_publish (self->node);
  jme_node_ledger_open (&self->ledger, self->node, self->settings);
  jme_ledger_page_init (&self->ledger_page, self->ledger.path, self->settings);
  if (self->ledger.ledger == NULL && self->ledger.path != NULL)
    jme_answers_add_further (jme_outlets_get_main (self->outlets),
                             jme_node_ledger_append_lack, NULL);
  self->remote_write =
    jme_node_remote_write_start (self->settings, jme_outlets_get_main (self->outlets));
  self->otlp = jme_otlp_start (self->settings, self->otlp_encoder,
                               jme_outlets_get_main (self->outlets));
  self->sampler = jm_sampler_new (self->node, self->interval_ms);
  g_signal_connect (self->sampler, "sampled", G_CALLBACK (on_sweep), self);
  if (self->push != NULL)
    jme_node_push_start (self->push);
}

#define HOOK                                                                           \
 .methods = JME_METHOD_POST, .access = JME_ACCESS_LOCAL_ROOT,                          \
 .max_body_bytes = JME_HOOK_CALL_MAX_BYTES, .handler = on_hook

static const JmeRoute routes[] = {
  { .path = "/", .handler = on_page },
  { .path = "/ledger",
    .access = JME_ACCESS_KNOWN,
    .is_slow = TRUE,
    .handler = on_ledger },
  { .path = "/ledger/status",
    .access = JME_ACCESS_LOCAL_ROOT,
    .handler = on_ledger_status },
  { .path = "/hook/prolog", HOOK },
  { .path = "/hook/epilog", HOOK },
  { .path = JME_TELEMETRY_PATH, .handler = on_metrics },
  { .path = JME_DIALECT_PATH, .is_prefix = TRUE, .handler = on_metrics },
  { NULL },
};

const JmeRole jme_node_role = {
  .name = "node",
  .summary = "shows the jobs of this node",
  .listen_address = ":9010",
  .add_settings = jme_node_role_add_settings,
  .open = jme_node_role_open,
  .start = jme_node_role_start,
  .why_not_ready = jme_node_role_why_not_ready,
  .get_busy_us = jme_node_role_get_busy_us,
  .print_once = jme_node_role_print_once,
  .routes = routes,
  .close = jme_node_role_close,
};
