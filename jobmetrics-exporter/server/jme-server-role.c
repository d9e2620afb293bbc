/* jme-server-role.c: the daemon that keeps a site's archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jme-roles.h"

#include "archive/import/jm-intake-private.h"
#include "base/jm-error.h"
#include "base/jm-settings-private.h"
#include "core/jm-snapshot-private.h"
#include "host/jm-data-private.h"
#include "judge/jm-run-rules.h"
#include "scrape/jme-metric-choice.h"
#include "scrape/jme-outlets.h"
#include "scrape/jme-sender.h"
#include "server/jme-archive-intake.h"
#include "server/jme-archive.h"
#include "server/jme-intake-peer.h"
#include "server/jme-jobs.h"
#include "server/jme-node-ledgers.h"
#include "server/jme-queue.h"
#include "server/jme-server-routes.h"
#include "server/jme-suggestion.h"
#include "server/pages/jme-page.h"
#include "server/pages/jme-targets.h"
#include "web/jme-identity.h"
#include "web/jme-web-server.h"

#define STORE "server.store"
#define PEERS "jobmetrics_server_peer_success_time_seconds"
#define OPENAPI_PATH "/openapi.json"
#define OPENAPI_FILE "openapi/server.json"
#define OPENAPI_BYTES (1024 * 1024)

typedef struct
{
  const JmSettings *settings;
  JmeOutlets *outlets;
  JmTextEncoder *otlp_encoder; /* NULL for none */
  JmeSender *otlp;             /* NULL for none */
  JmeArchiveIntake *intake;
  JmeQueue *queue;
  JmeIdentityConfig *identity;
  JmeArchive *accounts;
  JmRunRules *rules;
  JmeQueryGuard *guard; /* NULL without a database to guard */
  JmeArchiveHealth health;
  JmePages pages;
  GBytes *openapi;
  char *lack; /* that was logged last, or NULL */
} ServerRole;

static const JmSetting store_setting = {
  .name = STORE,
  .group = "server",
  .kind = JM_SETTING_TEXT,
  .argument = "URI",
  .help = "The archive: a file, or a postgresql://... URI of libpq",
  .preset = "/var/lib/jobmetrics-server/accounts.db",
};

/* --- the check --- */

/* Whether it is well, which it is without an error: then @word is printed. */
static gboolean
report (const char *about, const GError *error, const char *word)
{
  g_print ("%s: %s\n", about, error != NULL ? error->message : word);

  return error == NULL;
}

/* A file that is not there yet is made at the first start, in a folder that is there.
 */
static gboolean
can_be_made (const char *uri, const GError *error)
{
  g_autofree char *folder = g_path_get_dirname (uri);

  return g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT) &&
         g_path_is_absolute (uri) && g_file_test (folder, G_FILE_TEST_IS_DIR);
}

static gboolean
check_store (const char *uri, JmArchiveDatabase **opened)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchiveDatabase) store =
    jm_archive_database_open_for_reading (uri, NULL, &error);

  if (store == NULL && can_be_made (uri, error))
    {
      g_print ("server.store: none yet, it is made at the first start\n");
      return TRUE;
    }
  if (store != NULL)
    jm_archive_database_check (store, &error);
  if (store != NULL && error == NULL)
    *opened = g_object_ref (store);

  return report ("server.store", error, "ok");
}

static gboolean
check_histories (const char *const *specifications)
{
  gboolean is_well = TRUE;

  for (; specifications != NULL && *specifications != NULL; specifications++)
    {
      g_autoptr (GError) error = NULL;

      jm_intake_check_history (*specifications, &error);
      is_well &= report (*specifications, error, "read");
    }

  return is_well;
}

static gboolean
tell_nodes (const GPtrArray *failed, guint n_nodes, guint n_unasked)
{
  for (guint i = 0; i < failed->len; i++)
    g_print ("%s\n", (const char *) failed->pdata[i]);
  if (n_unasked > 0)
    g_print ("nodes: %u of %u were not asked within a minute\n", n_unasked, n_nodes);
  g_print ("nodes: the ledgers of %u of %u can be read\n",
           n_nodes - failed->len - n_unasked, n_nodes);

  return failed->len == 0 && n_unasked == 0;
}

/* No failure: nodes that the site does not read may have run those jobs. */
static void
tell_unmatched (GHashTable *unmatched)
{
  GHashTableIter iter;
  gpointer cluster, problem;

  g_hash_table_iter_init (&iter, unmatched);
  while (g_hash_table_iter_next (&iter, &cluster, &problem))
    g_print ("cluster %s: %s\n", (const char *) cluster, (const char *) problem);
}

static gboolean
check_nodes (const JmSettings *settings, JmArchiveDatabase *store)
{
  g_autoptr (GError) error = NULL;
  JmeNodeLedgers *nodes = jme_node_ledgers_new (settings, &error);
  const char *name = nodes != NULL ? jme_node_ledgers_get_name (nodes) : "settings";
  gboolean is_well = TRUE;
  g_autoptr (GPtrArray) failed = NULL;
  g_autoptr (GHashTable) unmatched = NULL;
  guint n_nodes = 0, n_unasked = 0;

  if (name != NULL)
    {
      if (nodes != NULL)
        failed = jme_node_ledgers_check (nodes, store, &n_nodes, &n_unasked, &unmatched,
                                         &error);
      is_well = report (name, error, "read");
      if (failed != NULL)
        is_well &= tell_nodes (failed, n_nodes, n_unasked);
      if (unmatched != NULL)
        tell_unmatched (unmatched);
    }
  g_clear_pointer (&nodes, jme_node_ledgers_free);

  return is_well;
}

/* A mistake in a rule costs that rule alone. */
static gboolean
check_rules (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRunRules) rules = jm_run_rules_new (host, &error);
  g_auto (GStrv) problems = rules != NULL ? jm_run_rules_list_problems (rules) : NULL;

  for (guint i = 0; problems != NULL && problems[i] != NULL; i++)
    g_print ("rules of advice: %s\n", problems[i]);

  return report ("rules of advice", error, "read") && g_strv_length (problems) == 0;
}

/* Prints a line for each thing that was looked at, and returns the exit status: nothing
 * is written. */
static int
check (const JmSettings *settings, const char *uri)
{
  gboolean is_well = report ("settings", NULL, "ok");
  g_autoptr (JmArchiveDatabase) store = NULL;

  is_well &= check_store (uri, &store);
  is_well &= check_histories (jm_settings_get_list (settings, "server.history"));
  is_well &= check_nodes (settings, store);
  is_well &= check_rules ();

  return is_well ? 0 : 1;
}

/* --- what is served --- */

/* The figures are the intake's own: without a sweep there is none of a sweep. */
static JmSnapshot *
make_snapshot (gpointer user_data G_GNUC_UNUSED)
{
  const JmCollectorSet collectors = { { 0 } };
  g_autoptr (JmReadings) readings = jm_readings_new ();

  return jm_snapshot_new (-1, -1, &collectors, NULL, 0, readings);
}

static void
on_metrics (JmeRequest *request, gpointer user_data)
{
  ServerRole *self = user_data;
  JmCollectorSet collectors = { { 0 } };
  g_autoptr (JmSnapshot) snapshot = NULL;

  if (!jme_outlets_accept (self->outlets, request, &collectors))
    return;

  snapshot = make_snapshot (NULL);
  jme_outlets_reply (self->outlets, request, snapshot, &collectors, 0);
}

/* What can be asked, for programs. */
static void
on_openapi (JmeRequest *request, gpointer user_data)
{
  ServerRole *self = user_data;

  jme_request_reply (request, 200, "application/json", self->openapi);
}

static const char *
jme_server_role_why_not_ready (gpointer state)
{
  ServerRole *self = state;

  g_free (self->lack);
  self->lack = jme_archive_intake_describe_lack (self->intake);
  if (self->lack == NULL)
    self->lack = jme_queue_describe_lack (self->queue);

  return self->lack;
}

static int
jme_server_role_print_once (gpointer state)
{
  ServerRole *self = state;
  g_autoptr (JmSnapshot) snapshot = NULL;

  if (!jme_archive_intake_run_once (self->intake))
    return 1;
  snapshot = make_snapshot (NULL);

  return jme_outlets_print (self->outlets, snapshot);
}

static int
jme_server_role_check (gpointer state)
{
  ServerRole *self = state;

  return check (self->settings, jm_settings_get_text (self->settings, STORE));
}

/* --- the role --- */

static const JmeOtlpPresets otlp_presets = {
  .dialect = JME_NATIVE,
  .service = "jobmetrics-server",
  .buffer = "/var/lib/jobmetrics-server/otlp",
};

static void
jme_server_role_add_settings (JmSettings *settings)
{
  jm_settings_add (settings, &store_setting);
  jme_archive_intake_add_settings (settings);
  jme_queue_add_settings (settings);
  jme_identity_config_add_settings (settings);
  jme_archive_add_settings (settings);
  jme_query_guard_add_settings (settings);
  jme_targets_add_settings (settings);
  jme_metric_choice_add_settings (settings);
  jme_outlets_add_settings (settings);
  jme_otlp_add_settings (settings, &otlp_presets);
}

static gboolean
match_figures (const char *pattern)
{
  return jme_archive_intake_match_figures (pattern) ||
         jme_queue_match_figures (pattern) || jme_otlp_match (pattern) ||
         g_pattern_match_simple (pattern, PEERS);
}

static void
append_peers (ServerRole *self, JmTextWriter *writer)
{
  g_autoptr (GPtrArray) peers = jme_peers_new ();

  jme_archive_intake_list_peers (self->intake, peers);
  jme_queue_list_peers (self->queue, peers);
  jm_text_writer_begin_family (writer, JM_FAMILY_KIND_GAUGE, PEERS,
                               "Time of the last complete reading of each history, "
                               "time series database, scheduler and node, seconds "
                               "since 1970.");
  jme_peers_append_samples (peers, writer);
  jme_archive_intake_append_nodes (self->intake, writer);
}

static void
append_figures (JmMetricSelection *selection, JmTextWriter *writer, gpointer user_data)
{
  ServerRole *self = user_data;

  jme_archive_intake_append_figures (self->intake, selection, writer);
  jme_queue_append_figures (self->queue, selection, writer);
  if (jm_metric_selection_has_name (selection, PEERS))
    append_peers (self, writer);
}

static JmTextEncoder *
make_encoder (const JmSettings *settings, GError **error)
{
  return jme_metric_choice_make_encoder (settings, match_figures, error);
}

static void
jme_server_role_close (gpointer state)
{
  ServerRole *self = state;

  g_clear_pointer (&self->otlp, jme_sender_stop);
  g_clear_object (&self->otlp_encoder);
  g_clear_pointer (&self->guard, jme_query_guard_free);
  g_clear_pointer (&self->rules, jm_run_rules_unref);
  g_clear_pointer (&self->pages.targets, jme_targets_free);
  g_clear_pointer (&self->outlets, jme_outlets_free);
  g_clear_pointer (&self->intake, jme_archive_intake_free);
  g_clear_pointer (&self->queue, jme_queue_free);
  g_clear_pointer (&self->accounts, jme_archive_free);
  g_clear_pointer (&self->identity, jme_identity_config_free);
  g_clear_pointer (&self->openapi, g_bytes_unref);
  g_free (self->lack);
  g_free (self);
}

static GBytes *
read_openapi (JmHost *host, GError **error)
{
  g_autoptr (JmDataFile) file = jm_data_find (host, OPENAPI_FILE, error);

  return file != NULL ? jm_data_file_read (file, OPENAPI_BYTES, error) : NULL;
}

static gboolean
open_guard (ServerRole *self, const JmSettings *settings, GError **error)
{
  GError *problem = NULL;

  self->guard =
    jme_query_guard_new (settings, self->accounts,
                         jme_outlets_get_dialects (self->outlets), &problem);
  if (problem != NULL)
    g_propagate_error (error, problem);

  return problem == NULL;
}

static gboolean
open_rules (ServerRole *self, JmHost *host, GError **error)
{
  g_auto (GStrv) problems = NULL;

  self->rules = jm_run_rules_new (host, error);
  if (self->rules == NULL)
    return FALSE;

  problems = jm_run_rules_list_problems (self->rules);
  for (guint i = 0; problems[i] != NULL; i++)
    g_warning ("rules of advice: %s", problems[i]);

  return TRUE;
}

static gpointer
jme_server_role_open (const JmSettings *settings, GError **error)
{
  const char *uri = jm_settings_get_text (settings, STORE);
  g_autoptr (JmHost) host = jm_host_new (NULL);
  ServerRole *self = g_new0 (ServerRole, 1);

  self->settings = settings;
  self->openapi = read_openapi (host, error);
  if (self->openapi != NULL)
    self->outlets = jme_outlets_new (settings, host, make_encoder, error);
  if (self->outlets != NULL &&
      jme_otlp_open (&self->otlp_encoder, settings, self->outlets, error))
    self->intake = jme_archive_intake_new (settings, uri, error);
  if (self->intake != NULL)
    self->queue = jme_queue_new (settings, uri, error);
  if (self->queue != NULL)
    self->identity = jme_identity_config_new (settings, error);
  if (self->identity != NULL)
    self->accounts = jme_archive_new (uri, self->identity);
  if (self->accounts != NULL)
    self->pages.targets = jme_targets_new (settings, error);
  if (self->pages.targets != NULL && open_rules (self, host, error) &&
      open_guard (self, settings, error))
    {
      jme_answers_add_further (jme_outlets_get_main (self->outlets), append_figures,
                               self);
      jme_archive_set_settings (self->accounts, settings);
      jme_archive_set_intake (self->accounts, self->intake);
      jme_archive_set_rules (self->accounts, self->rules);
      jme_archive_intake_set_rules (self->intake, self->rules);
      self->health = (JmeArchiveHealth){ self->accounts, self->intake, self->queue };
      self->pages =
        (JmePages){ self->accounts, self->intake, self->queue, self->pages.targets };
      return self;
    }

  jme_server_role_close (self);

  return NULL;
}

static void
jme_server_role_start (gpointer state)
{
  ServerRole *self = state;

  jme_archive_intake_start (self->intake);
  jme_queue_start (self->queue);
  self->otlp = jme_otlp_start (self->settings, self->otlp_encoder,
                               jme_outlets_get_main (self->outlets));
  if (self->otlp != NULL)
    jme_sender_run (self->otlp, make_snapshot, self);
}

static void
jme_server_role_add_routes (gpointer state, JmeWebServer *server)
{
  ServerRole *self = state;

  jme_web_server_set_identity (server, self->identity);
  jme_web_server_add_routes (server, jme_jobs_routes, self->accounts);
  jme_web_server_add_routes (server, jme_archive_health_routes, &self->health);
  jme_web_server_add_routes (server, jme_questions_routes, self->accounts);
  jme_web_server_add_routes (server, jme_names_routes, self->accounts);
  jme_web_server_add_routes (server, jme_groups_routes, self->accounts);
  jme_web_server_add_routes (server, jme_statistics_routes, self->accounts);
  jme_web_server_add_routes (server, jme_usage_routes, self->accounts);
  jme_web_server_add_routes (server, jme_suggestion_routes, self->accounts);
  jme_web_server_add_routes (server, jme_pages_routes, &self->pages);
  if (self->guard != NULL)
    jme_web_server_add_routes (server, jme_query_guard_routes, self->guard);
}

static const JmeRoute routes[] = {
  { .path = OPENAPI_PATH, .access = JME_ACCESS_OPEN, .handler = on_openapi },
  { .path = JME_TELEMETRY_PATH, .handler = on_metrics },
  { NULL },
};

const JmeRole jme_server_role = {
  .name = "server",
  .summary = "keeps the archive of a site's jobs, for those who may see them",
  .listen_address = ":9012",
  .add_settings = jme_server_role_add_settings,
  .open = jme_server_role_open,
  .start = jme_server_role_start,
  .why_not_ready = jme_server_role_why_not_ready,
  .print_once = jme_server_role_print_once,
  .check = jme_server_role_check,
  .routes = routes,
  .add_routes = jme_server_role_add_routes,
  .close = jme_server_role_close,
};
