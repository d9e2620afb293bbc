/* jme-node.c: the daemon in its node role
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node.h"

#include <glib-unix.h>
#include <stdio.h>

#include "collect/jm-sampler.h"
#include "core/jm-error.h"
#include "daemon/jme-log-filter.h"
#include "daemon/jme-own-metrics.h"
#include "daemon/jme-systemd.h"
#include "expose/jm-text-encoder.h"
#include "node/jme-node-page.h"
#include "node/jme-scrape.h"
#include "web/jme-web-server.h"

/* Scrapers that come within this time of each other see the same sweep. */
#define SCRAPE_MAX_AGE_MS 250
/* A sweep that takes longer than this, for a file that hangs, does not keep scrapers
 * waiting: they get the last one. */
#define PATIENCE_MS 5000

#define NOT_READY "No sweep is done yet.\n"

typedef struct
{
  JmSampler *sampler;
  JmTextEncoder *encoder;
  JmeWebServer *server;
  JmeOwnCounters counters;
  JmeLogFilter *log_filter;
  guint32 denied;  /* bits of collectors for which that was logged */
  gsize last_size; /* of an answer: how much the next one will need */
  GMainLoop *loop;
} NodeRole;

typedef struct _Visit Visit;

/* Somebody who waits for a sweep. */
struct _Visit
{
  NodeRole *role;
  JmeRequest *request;
  void (*reply) (Visit *self, JmSnapshot *snapshot);
  guint32 collectors; /* that a scraper wants */
  GCancellable *cancellable;
  guint patience;
};

/* --- waiting for a sweep --- */

static void
visit_free (Visit *visit)
{
  g_clear_handle_id (&visit->patience, g_source_remove);
  g_object_unref (visit->cancellable);
  g_object_unref (visit->request);
  g_free (visit);
}

static void
on_sampled (GObject *sampler, GAsyncResult *result, gpointer user_data)
{
  Visit *visit = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSnapshot) snapshot = NULL;

  snapshot = jm_sampler_sample_finish (JM_SAMPLER (sampler), result, &error);
  if (snapshot == NULL)
    snapshot = jm_sampler_get_latest (JM_SAMPLER (sampler));

  if (snapshot != NULL)
    visit->reply (visit, snapshot);
  else
    jme_request_reply_text (visit->request, 503, NOT_READY);

  visit_free (visit);
}

static gboolean
on_patience_gone (gpointer user_data)
{
  Visit *visit = user_data;

  visit->patience = 0;
  g_cancellable_cancel (visit->cancellable);

  return G_SOURCE_REMOVE;
}

/* Answers with a snapshot that is not older than @max_age_ms. */
static void
wait_for_sweep (NodeRole *self,
                JmeRequest *request,
                guint max_age_ms,
                guint32 collectors,
                void (*reply) (Visit *visit, JmSnapshot *snapshot))
{
  Visit *visit = g_new0 (Visit, 1);

  visit->role = self;
  visit->request = g_object_ref (request);
  visit->reply = reply;
  visit->collectors = collectors;
  visit->cancellable = g_cancellable_new ();
  visit->patience = g_timeout_add (PATIENCE_MS, on_patience_gone, visit);
  jm_sampler_sample_async (self->sampler, max_age_ms, visit->cancellable, on_sampled,
                           visit);
}

/* --- /metrics --- */

static GBytes *
encode (NodeRole *self, JmSnapshot *snapshot, guint32 collectors, JmTextFormat format)
{
  GString *out = g_string_sized_new (self->last_size + 4096);
  gint64 began_us = g_get_monotonic_time ();

  jme_own_metrics_append (&self->counters, self->encoder, format, out);
  jm_text_encoder_encode (self->encoder, snapshot, format, collectors, out);
  self->counters.n_scrapes++;
  self->counters.encode_ns += (guint64) (g_get_monotonic_time () - began_us) * 1000;
  self->last_size = out->len;

  return g_string_free_to_bytes (out);
}

/* A right that is lacking is lacking for each new job, too, whose processes have other
 * paths: that is logged once. */
static gboolean
is_new (NodeRole *self, guint collector, const GError *error)
{
  guint32 bit = 1u << collector;

  if (!g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    return jme_log_filter_is_new (self->log_filter, jm_collector_get_name (collector),
                                  error->message);
  if ((self->denied & bit) != 0)
    return FALSE;

  self->denied |= bit;

  return TRUE;
}

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
reply_metrics (Visit *visit, JmSnapshot *snapshot)
{
  JmTextFormat format =
    jm_negotiate_text_format (jme_request_get_header (visit->request, "Accept"));
  g_autoptr (GBytes) body = encode (visit->role, snapshot, visit->collectors, format);

  report_errors (visit->role, snapshot);
  jme_request_reply (visit->request, 200, jm_text_format_get_content_type (format),
                     body);
}

static void
on_metrics (JmeRequest *request, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  guint32 collectors;

  if (jme_scrape_parse_collectors (request, &collectors, &error))
    {
      wait_for_sweep (user_data, request, SCRAPE_MAX_AGE_MS, collectors, reply_metrics);
      return;
    }

  text = g_strconcat (error->message, "\n", NULL);
  jme_request_reply_text (request, 400, text);
}

/* --- the other pages --- */

static void
reply_page (Visit *visit, JmSnapshot *snapshot)
{
  g_autoptr (GBytes) body = jme_node_page_render (snapshot);

  jme_request_reply (visit->request, 200, "text/html; charset=utf-8", body);
}

/* People see the last sweep; only right after the start they wait for the first. */
static void
on_page (JmeRequest *request, gpointer user_data)
{
  wait_for_sweep (user_data, request, G_MAXUINT, 0, reply_page);
}

static void
on_healthy (JmeRequest *request, gpointer user_data)
{
  jme_request_reply_text (request, 200, "jobmetrics-exporter is healthy.\n");
}

static void
on_ready (JmeRequest *request, gpointer user_data)
{
  NodeRole *self = user_data;
  g_autoptr (JmSnapshot) snapshot = jm_sampler_get_latest (self->sampler);

  if (snapshot != NULL)
    jme_request_reply_text (request, 200, "jobmetrics-exporter is ready.\n");
  else
    jme_request_reply_text (request, 503, NOT_READY);
}

/* --- start --- */

static JmNode *
open_node (const JmeOptions *options, GError **error)
{
  g_autoptr (JmHost) host = jm_host_new_with_paths (options->rootfs, options->procfs,
                                                    options->sysfs, options->cgroupfs);
  guint stat_interval_ms = (guint) (options->memory_stat_interval * 1000);

  return g_initable_new (JM_TYPE_NODE, NULL, error, "host", host, "level",
                         options->level, "collectors", options->collectors, "cluster",
                         options->cluster, "node-name", options->node_name,
                         "schedulers", options->schedulers, "filesystems",
                         options->filesystems, "linger", options->sample_linger,
                         "max-executables", options->max_executables, "max-cpus",
                         options->max_cpus, "memory-stat-interval", stat_interval_ms,
                         "power-sources", options->power_sources, "emission-providers",
                         options->emission_providers, "share-idle", options->share_idle,
                         "energy-files", options->energy_files, "keep-energy",
                         options->energy_files != NULL && !options->once, NULL);
}

static gboolean
check_patterns (const char *option, char **patterns, GError **error)
{
  for (char **p = patterns; p != NULL && *p != NULL; p++)
    if (!jme_own_metrics_match (*p) && !jm_text_encoder_check_pattern (*p, error))
      {
        g_prefix_error (error, "%s: ", option);
        return FALSE;
      }

  return TRUE;
}

static gboolean
check_encoder_options (const JmeOptions *options, GError **error)
{
  if (!check_patterns ("--metrics.include", options->metrics_include, error) ||
      !check_patterns ("--metrics.exclude", options->metrics_exclude, error))
    return FALSE;

  for (char **p = options->info_fields; p != NULL && *p != NULL; p++)
    if (!jm_text_encoder_check_info_field (*p, error))
      {
        g_prefix_error_literal (error, "--metrics.info-label: ");
        return FALSE;
      }

  return TRUE;
}

static JmTextEncoder *
make_encoder (const JmeOptions *options, GError **error)
{
  JmTextEncoder *encoder;

  if (!check_encoder_options (options, error))
    return NULL;

  encoder = jm_text_encoder_new ();
  g_object_set (encoder, "decided-only", !options->once, NULL);
  jm_text_encoder_set_include (encoder, (const char *const *) options->metrics_include);
  jm_text_encoder_set_exclude (encoder, (const char *const *) options->metrics_exclude);
  if (options->info_fields != NULL)
    jm_text_encoder_set_info_fields (encoder,
                                     (const char *const *) options->info_fields);

  return encoder;
}

static gboolean
adopt_sockets (NodeRole *self, GError **error)
{
  g_autoptr (GArray) fds = g_array_new (FALSE, FALSE, sizeof (int));

  if (!jme_systemd_take_sockets (fds, error))
    return FALSE;

  for (guint i = 0; i < fds->len; i++)
    if (!jme_web_server_adopt (self->server, g_array_index (fds, int, i), error))
      return FALSE;

  return TRUE;
}

static gboolean
listen (NodeRole *self, const JmeOptions *options, GError **error)
{
  self->server = jme_web_server_new (options->web_config_file, error);
  if (self->server == NULL)
    return FALSE;

  jme_web_server_add_handler (self->server, "/metrics", on_metrics, self);
  jme_web_server_add_handler (self->server, "/-/healthy", on_healthy, self);
  jme_web_server_add_handler (self->server, "/-/ready", on_ready, self);
  jme_web_server_add_handler (self->server, "/", on_page, self);

  if (options->use_systemd_sockets && !adopt_sockets (self, error))
    return FALSE;
  for (char **p = options->listen_addresses; p != NULL && *p != NULL; p++)
    if (!jme_web_server_listen (self->server, *p, error))
      return FALSE;

  return TRUE;
}

/* --- run --- */

static gboolean
on_signal (gpointer user_data)
{
  NodeRole *self = user_data;

  g_message ("asked to end");
  g_main_loop_quit (self->loop);

  return G_SOURCE_CONTINUE;
}

static void
log_addresses (NodeRole *self)
{
  g_auto (GStrv) addresses = jme_web_server_list_addresses (self->server);

  for (char **p = addresses; *p != NULL; p++)
    g_message ("listening on %s%s", *p,
               jme_web_server_is_tls (self->server) ? " (TLS)" : "");
}

static void
serve (NodeRole *self)
{
  g_autoptr (GSource) watchdog = jme_systemd_watchdog_source_new ();
  guint term = g_unix_signal_add (SIGTERM, on_signal, self);
  guint interrupt = g_unix_signal_add (SIGINT, on_signal, self);

  self->loop = g_main_loop_new (NULL, FALSE);
  if (watchdog != NULL)
    g_source_attach (watchdog, NULL);

  log_addresses (self);
  jme_systemd_notify ("READY=1");
  g_main_loop_run (self->loop);
  jme_systemd_notify ("STOPPING=1");

  jme_web_server_stop_listening (self->server);
  jm_sampler_stop (self->sampler);
  jme_web_server_close (self->server);
  if (watchdog != NULL)
    g_source_destroy (watchdog);
  g_source_remove (term);
  g_source_remove (interrupt);
  g_clear_pointer (&self->loop, g_main_loop_unref);
}

/* Power that is found from two readings of a counter is not in it. */
static JmSnapshot *
sample_once (JmNode *node)
{
  jm_node_wait_for_answers (node, PATIENCE_MS);

  return jm_node_sample (node, NULL, NULL);
}

static int
print_once (NodeRole *self, JmNode *node)
{
  g_autoptr (JmSnapshot) snapshot = sample_once (node);
  g_autoptr (GBytes) body =
    encode (self, snapshot, G_MAXUINT32, JM_TEXT_FORMAT_PROMETHEUS);
  gsize size;
  gconstpointer data = g_bytes_get_data (body, &size);

  report_errors (self, snapshot);
  if (fwrite (data, 1, size, stdout) == size && fflush (stdout) == 0)
    return 0;

  g_critical ("standard output: %s", g_strerror (errno));

  return 1;
}

static void
log_problems (JmNode *node)
{
  g_auto (GStrv) problems = jm_node_list_problems (node);

  for (char **p = problems; *p != NULL; p++)
    g_warning ("%s", *p);
}

static int
run_role (NodeRole *self, const JmeOptions *options, GError **error)
{
  g_autoptr (JmNode) node = NULL;

  self->encoder = make_encoder (options, error);
  if (self->encoder == NULL)
    return 1;
  if (!options->once && !listen (self, options, error))
    return 1;

  node = open_node (options, error);
  if (node == NULL)
    return 1;
  log_problems (node);

  if (options->once)
    return print_once (self, node);

  self->sampler = jm_sampler_new (node, (guint) (options->sample_interval * 1000));
  g_clear_object (&node);
  serve (self);

  return 0;
}

int
jme_node_run (const JmeOptions *options)
{
  NodeRole self = { .log_filter = jme_log_filter_new () };
  g_autoptr (GError) error = NULL;
  int status;

  jm_host_raise_open_files_limit ();
  status = run_role (&self, options, &error);
  if (error != NULL)
    g_critical ("%s", error->message);
  if (g_error_matches (error, JM_ERROR, JM_ERROR_INVALID))
    status = JME_EXIT_USAGE;

  g_clear_object (&self.server);
  g_clear_object (&self.sampler);
  g_clear_object (&self.encoder);
  jme_log_filter_free (self.log_filter);

  return status;
}
