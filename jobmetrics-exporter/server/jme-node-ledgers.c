/* jme-node-ledgers.c: the nodes' ledgers, read into the archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-node-ledgers.h"

#include "archive/import/jm-ledger-pull-private.h"
#include "archive/import/jm-pull-targets-private.h"
#include "base/jm-node-list-private.h"
#include "base/jm-secret-private.h"
#include "daemon/jme-figures.h"
#include "io/jm-http-private.h"
#include "server/jme-intake-peer.h"

#define FILE_SETTING "server.nodes-file"
#define URL_SETTING "server.nodes-url"
#define LOGIN_FILE "server.nodes-login-file"
#define CA_FILE "server.nodes-ca-file"
#define UNREAD "jobmetrics_server_unread_records_total"
/* Nodes that fail; the others are counted. */
#define MAX_NAMED 200

/* A node, as of the last round. */
typedef struct
{
  char *cluster;
  char *node;
  gint64 complete_us; /* what ended before is stored; 0 where that is not known */
  gboolean is_failing;
} Peer;

struct _JmeNodeLedgers
{
  const char *path; /* one of these two at most; the settings' */
  const char *url;
  const char *login_file;
  const char *ca_file;
  char *username;
  char *password;
  JmLedgerPull *pull; /* NULL before the first */
  GPtrArray *targets; /* of JmPullTarget: of this round; NULL for none */

  GMutex lock; /* of all below */
  guint64 n_records;
  guint64 n_unresolved;
  guint64 n_unread[JM_N_LEDGER_FAULTS];
  guint64 lag_us;
  GHashTable *peers; /* of Peer, by the names of targets */
  guint n_failed;
  GString *failed;       /* of the nodes whose last attempt failed: JSON objects */
  char *first_failed;    /* one of them, with its problem; NULL for none */
  GHashTable *unmatched; /* as jm_pull_targets_find_unmatched() has it */
  gboolean has_asked;    /* to the end of a round */
};

static const JmSetting rows[] = {
  { .name = FILE_SETTING,
    .group = "server",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Nodes whose ledgers are read, as file_sd_configs has them; the cluster "
            "role's --discovery.file is one",
    .preset_help = "none" },
  { .name = URL_SETTING,
    .group = "server",
    .kind = JM_SETTING_TEXT,
    .argument = "URL",
    .help =
      "The same as http_sd_configs has them; the cluster role's /discovery is one",
    .preset_help = "none" },
  { .name = LOGIN_FILE,
    .group = "server",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "File with the lines username=NAME and password=TEXT of a user in the "
            "nodes' web.yml" },
  { .name = CA_FILE,
    .group = "server",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "CA certificates that the nodes' certificates are verified against",
    .preset_help = "the system's" },
};

void
jme_node_ledgers_add_settings (JmSettings *settings)
{
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

/* --- reading --- */

static gboolean
is_asked_for (const JmeNodeLedgers *self)
{
  return self->path != NULL || self->url != NULL;
}

static gboolean
read_login (JmeNodeLedgers *self, GError **error)
{
  return self->login_file == NULL || self->username != NULL ||
         jm_secret_read_login (self->login_file, &self->username, &self->password,
                               error);
}

static gboolean
make_pull (JmeNodeLedgers *self, JmArchiveDatabase *store, GError **error)
{
  if (self->pull != NULL)
    return TRUE;
  if (!read_login (self, error))
    return FALSE;
  self->pull = jm_ledger_pull_new (store);
  jm_ledger_pull_set_login (self->pull, self->username, self->password);
  jm_ledger_pull_set_ca_file (self->pull, self->ca_file);

  return TRUE;
}

static JmLedgerClient
make_client (const JmeNodeLedgers *self)
{
  return (JmLedgerClient){ .username = self->username,
                           .password = self->password,
                           .ca_file = self->ca_file };
}

static GPtrArray *
list_targets (JmeNodeLedgers *self, GCancellable *cancellable, GError **error)
{
  const JmLedgerClient client = make_client (self);

  return self->url != NULL
           ? jm_pull_targets_fetch (&client, self->url, cancellable, error)
           : jm_pull_targets_read (self->path, error);
}

const char *
jme_node_ledgers_get_name (JmeNodeLedgers *self)
{
  return self->url != NULL ? URL_SETTING : self->path != NULL ? FILE_SETTING : NULL;
}

GPtrArray *
jme_node_ledgers_check (JmeNodeLedgers *self,
                        JmArchiveDatabase *store,
                        guint *n_nodes,
                        guint *n_unasked,
                        GHashTable **unmatched,
                        GError **error)
{
  g_autoptr (GPtrArray) targets =
    read_login (self, error) ? list_targets (self, NULL, error) : NULL;
  const JmLedgerClient client = make_client (self);

  if (targets == NULL)
    return NULL;
  *n_nodes = targets->len;
  if (store != NULL)
    *unmatched = jm_pull_targets_find_unmatched (targets, store, NULL);

  return jm_pull_probe (&client, targets, n_unasked);
}

/* Each cluster is logged once. */
static void
take_unmatched (JmeNodeLedgers *self, GHashTable *unmatched)
{
  GHashTableIter iter;
  gpointer cluster, problem;

  g_hash_table_iter_init (&iter, unmatched);
  while (g_hash_table_iter_next (&iter, &cluster, &problem))
    if (!g_hash_table_contains (self->unmatched, cluster))
      g_warning ("cluster %s: %s", (const char *) cluster, (const char *) problem);

  g_mutex_lock (&self->lock);
  g_hash_table_unref (self->unmatched);
  self->unmatched = g_hash_table_ref (unmatched);
  g_mutex_unlock (&self->lock);
}

static gboolean
run_round (JmeNodeLedgers *self,
           JmArchiveDatabase *store,
           GCancellable *cancellable,
           GError **error)
{
  g_autoptr (GHashTable) unmatched = NULL;

  if (!jm_ledger_pull_run_round (self->pull, cancellable, error))
    return FALSE;
  unmatched = jm_pull_targets_find_unmatched (self->targets, store, error);
  if (unmatched != NULL)
    take_unmatched (self, unmatched);

  return unmatched != NULL;
}

static void
peer_free (gpointer data)
{
  Peer *self = data;

  g_free (self->cluster);
  g_free (self->node);
  g_free (self);
}

static Peer *
peer_new (const JmNodeLedger *ledger)
{
  Peer *self = g_new0 (Peer, 1);

  self->cluster = g_strdup (ledger->cluster);
  self->node = g_strdup (ledger->node);
  self->complete_us = ledger->complete_us;
  self->is_failing = ledger->problem != NULL;

  return self;
}

static void
append_failed (JmeNodeLedgers *self, const JmNodeLedger *ledger)
{
  JmJsonWriter json = { .out = self->failed, .layout = JM_JSON_SPACED };

  if (self->first_failed == NULL)
    self->first_failed =
      g_strdup_printf ("%s/%s: %s", ledger->cluster, ledger->node, ledger->problem);
  if (++self->n_failed > MAX_NAMED)
    return;
  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_add_text (&json, "cluster", ledger->cluster);
  jm_json_writer_add_text (&json, "node", ledger->node);
  jm_json_writer_add_text (&json, "problem", ledger->problem);
  jm_json_writer_add_int (&json, "since_time", ledger->failed_us / G_USEC_PER_SEC);
  jm_json_writer_end_object (&json);
}

static char *
make_key (const char *cluster, const char *node)
{
  g_autofree char *its = jm_node_name_shorten (node);

  return g_strdup_printf ("%s/%s", cluster, its);
}

static void
take_peer (const JmNodeLedger *ledger, gpointer data)
{
  JmeNodeLedgers *self = data;

  g_hash_table_insert (self->peers, make_key (ledger->cluster, ledger->node),
                       peer_new (ledger));
  if (ledger->problem != NULL)
    append_failed (self, ledger);
}

static void
take_counts (JmeNodeLedgers *self, gboolean is_well)
{
  g_mutex_lock (&self->lock);
  g_hash_table_remove_all (self->peers);
  self->lag_us = jm_ledger_pull_get_sum_of_lags (self->pull);
  self->n_failed = 0;
  g_string_truncate (self->failed, 0);
  g_clear_pointer (&self->first_failed, g_free);
  jm_ledger_pull_visit (self->pull, take_peer, self);
  for (guint i = 0; i < JM_N_LEDGER_FAULTS; i++)
    self->n_unread[i] = jm_ledger_pull_get_n_unread (self->pull, i);
  self->has_asked = self->has_asked || is_well;
  self->n_records = jm_ledger_pull_get_n_records (self->pull);
  self->n_unresolved = jm_ledger_pull_get_n_unresolved (self->pull);
  g_mutex_unlock (&self->lock);
}

gboolean
jme_node_ledgers_take_targets (JmeNodeLedgers *self,
                               JmArchiveDatabase *store,
                               GCancellable *cancellable,
                               GError **error)
{
  g_clear_pointer (&self->targets, g_ptr_array_unref);
  if (!is_asked_for (self))
    return TRUE;
  if (make_pull (self, store, error))
    self->targets = list_targets (self, cancellable, error);

  return self->targets != NULL &&
         jm_ledger_pull_set_targets (self->pull, self->targets, error);
}

gboolean
jme_node_ledgers_pull (JmeNodeLedgers *self,
                       JmArchiveDatabase *store,
                       GCancellable *cancellable,
                       GError **error)
{
  gboolean is_well;

  if (self->targets == NULL)
    return TRUE;
  is_well = run_round (self, store, cancellable, error);
  take_counts (self, is_well);

  return is_well;
}

/* --- figures --- */

static gboolean
get_records (gconstpointer part, guint64 *value)
{
  const JmeNodeLedgers *self = part;

  *value = self->n_records;

  return is_asked_for (self);
}

static gboolean
get_unresolved (gconstpointer part, guint64 *value)
{
  const JmeNodeLedgers *self = part;

  *value = self->n_unresolved;

  return is_asked_for (self);
}

static gboolean
get_failed (gconstpointer part, guint64 *value)
{
  const JmeNodeLedgers *self = part;

  *value = self->n_failed;

  return self->has_asked;
}

static gboolean
get_lag (gconstpointer part, guint64 *value)
{
  const JmeNodeLedgers *self = part;

  *value = self->lag_us;

  return is_asked_for (self);
}

static const JmeFigure figures[] = {
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_server_ledger_records_total",
    "Records that nodes sent, new ones and known ones.", 0, get_records },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_server_ledger_record_lag_seconds_total",
    "Time from the end of a run on a node until its record was stored, of all records "
    "together.",
    6, get_lag },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_server_unresolved_records_total",
    "Records of nodes that were dropped: no source reported their run for a day.", 0,
    get_unresolved },
  { JM_FAMILY_KIND_GAUGE, "jobmetrics_server_failed_nodes",
    "Nodes whose ledger could not be read at the last attempt.", 0, get_failed },
};

static void
append_unread (JmeNodeLedgers *self, JmMetricSelection *selection, JmTextWriter *writer)
{
  if (!is_asked_for (self) || !jm_metric_selection_has_name (selection, UNREAD))
    return;
  jm_text_writer_begin_family (writer, JM_FAMILY_KIND_COUNTER, UNREAD,
                               "Records of nodes that were passed over, by reason.");
  for (guint i = 0; i < JM_N_LEDGER_FAULTS; i++)
    {
      jm_text_writer_begin_sample (writer);
      jm_text_writer_add_label (writer, "reason", jm_ledger_fault_get_name (i));
      jm_text_writer_end_with_decimal (writer, self->n_unread[i], 0);
    }
}

void
jme_node_ledgers_append_peers (JmeNodeLedgers *self, JmTextWriter *writer)
{
  GHashTableIter iter;
  gpointer value;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->peers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Peer *peer = value;

      jme_peer_append (writer, "node", peer->cluster, peer->node, peer->complete_us);
    }
  g_mutex_unlock (&self->lock);
}

void
jme_node_ledgers_append_figures (JmeNodeLedgers *self,
                                 JmMetricSelection *selection,
                                 JmTextWriter *writer)
{
  g_mutex_lock (&self->lock);
  jme_figures_append (figures, G_N_ELEMENTS (figures), self, selection, writer);
  append_unread (self, selection, writer);
  g_mutex_unlock (&self->lock);
}

gboolean
jme_node_ledgers_match_figures (const char *pattern)
{
  return jme_figures_match (figures, G_N_ELEMENTS (figures), pattern) ||
         g_pattern_match_simple (pattern, UNREAD);
}

/* --- state --- */

static guint64
count_unread (const JmeNodeLedgers *self)
{
  guint64 n = 0;

  for (guint i = 0; i < JM_N_LEDGER_FAULTS; i++)
    n += self->n_unread[i];

  return n;
}

const char *
jme_node_ledgers_explain (JmeNodeLedgers *self,
                          const char *cluster,
                          const char *node,
                          gint64 end_time)
{
  g_autofree char *key = make_key (cluster, node);
  const char *reason = NULL;
  const Peer *peer;

  g_mutex_lock (&self->lock);
  peer = g_hash_table_lookup (self->peers, key);
  if (!is_asked_for (self))
    reason = "no ledgers are read";
  else if (!self->has_asked)
    reason = "its ledger is being read";
  else if (peer == NULL)
    reason = "it is not among the nodes whose ledgers are read";
  else if (peer->is_failing)
    reason = "its ledger cannot be read now";
  else if (peer->complete_us / G_USEC_PER_SEC < end_time)
    reason = "its ledger has not been read since the job ended";
  else
    reason = "its ledger was read and has no such record, or one that was passed over";
  g_mutex_unlock (&self->lock);

  return reason;
}

char *
jme_node_ledgers_describe_lack (JmeNodeLedgers *self)
{
  char *lack = NULL;

  g_mutex_lock (&self->lock);
  if (self->n_failed == 1)
    lack = g_strdup_printf ("The ledger of %s", self->first_failed);
  else if (self->n_failed > 1)
    lack = g_strdup_printf ("The ledgers of %u nodes cannot be read, such as %s",
                            self->n_failed, self->first_failed);
  g_mutex_unlock (&self->lock);

  return lack;
}

static void
append_unmatched (JmeNodeLedgers *self, JmJsonWriter *json)
{
  GHashTableIter iter;
  gpointer cluster, problem;

  jm_json_writer_begin_array (json, "unmatched_clusters");
  g_hash_table_iter_init (&iter, self->unmatched);
  while (g_hash_table_iter_next (&iter, &cluster, &problem))
    {
      jm_json_writer_begin_object (json, NULL);
      jm_json_writer_add_text (json, "cluster", cluster);
      jm_json_writer_add_text (json, "problem", problem);
      jm_json_writer_end_object (json);
    }
  jm_json_writer_end_array (json);
}

void
jme_node_ledgers_append_state (JmeNodeLedgers *self, JmJsonWriter *json)
{
  g_mutex_lock (&self->lock);
  if (self->has_asked)
    {
      jm_json_writer_begin_object (json, "nodes");
      jm_json_writer_add_int (json, "failed", self->n_failed);
      jm_json_writer_add_int (json, "records", (gint64) self->n_records);
      jm_json_writer_add_int (json, "unresolved_records", (gint64) self->n_unresolved);
      jm_json_writer_add_int (json, "unread_records", (gint64) count_unread (self));
      jm_json_writer_begin_array (json, "failed_nodes");
      g_string_append (json->out, self->failed->str);
      jm_json_writer_end_array (json);
      append_unmatched (self, json);
      jm_json_writer_end_object (json);
    }
  else
    jm_json_writer_add_text (json, "nodes", NULL);
  g_mutex_unlock (&self->lock);
}

/* --- begin and end --- */

/* A password goes by https, or stays on this machine. */
static gboolean
check (const JmSettings *settings, const JmeNodeLedgers *self, GError **error)
{
  g_autoptr (GError) reason = NULL;

  if (self->url == NULL)
    return TRUE;
  if (self->path != NULL)
    return jm_settings_refuse (settings, URL_SETTING, self->url,
                               "--" FILE_SETTING " names the nodes already", error);

  return (self->login_file != NULL ? jm_http_check_url (self->url, &reason)
                                   : g_uri_is_valid (self->url, 0, &reason)) ||
         jm_settings_refuse (settings, URL_SETTING, self->url, reason->message, error);
}

JmeNodeLedgers *
jme_node_ledgers_new (const JmSettings *settings, GError **error)
{
  JmeNodeLedgers *self = g_new0 (JmeNodeLedgers, 1);

  g_mutex_init (&self->lock);
  self->failed = g_string_new (NULL);
  self->peers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, peer_free);
  self->unmatched = g_hash_table_new (g_str_hash, g_str_equal);
  self->path = jm_settings_get_text (settings, FILE_SETTING);
  self->url = jm_settings_get_text (settings, URL_SETTING);
  self->login_file = jm_settings_get_text (settings, LOGIN_FILE);
  self->ca_file = jm_settings_get_text (settings, CA_FILE);
  if (check (settings, self, error))
    return self;
  jme_node_ledgers_free (self);

  return NULL;
}

void
jme_node_ledgers_free (JmeNodeLedgers *self)
{
  g_clear_object (&self->pull);
  g_clear_pointer (&self->targets, g_ptr_array_unref);
  g_mutex_clear (&self->lock);
  g_string_free (self->failed, TRUE);
  g_hash_table_unref (self->unmatched);
  g_hash_table_unref (self->peers);
  g_free (self->first_failed);
  g_free (self->username);
  g_free (self->password);
  g_free (self);
}
