/* jme-archive-intake.c: reads what schedulers report into the archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-archive-intake.h"

#include <string.h>

#include "archive/import/jm-intake-private.h"
#include "archive/jm-archive-database-private.h"
#include "daemon/jme-figures.h"
#include "daemon/jme-log-filter.h"
#include "registry/jm-registry.h"
#include "server/jme-archive-fill.h"
#include "server/jme-completeness.h"
#include "server/jme-goodput.h"
#include "server/jme-intake-peer.h"
#include "server/jme-node-ledgers.h"

#define HISTORY "server.history"
#define INTERVAL "server.interval"
#define MAX_AGE "server.max-age"
#define RECORD_MAX_AGE "server.record-max-age"

/* Between two readings at least, however many ask for one. */
#define PAUSE_US (10 * G_USEC_PER_SEC)
/* How often runs that are too old are looked for. */
#define FORGET_SECONDS 3600

/* For how long nodes wait for what the accounting has first. */
#define PATIENCE_US (10 * G_USEC_PER_SEC)

/* A history, or the time series database. */
typedef struct
{
  JmeArchiveIntake *owner;
  const char *specification;
  JmeIntakePeer *peer;
  JmIntake *intake; /* its thread's; NULL while it has not begun */
  JmHistory *history;
  guint64 n_runs, n_refused, n_unread; /* under the lock */
} Reading;

struct _JmeAccountsIntake
{
  char *uri;
  const JmSettings *settings;
  gint64 interval_us;
  GPtrArray *readings; /* of Reading: histories, and the time series database */
  GPtrArray *peers;    /* of JmeIntakePeer: theirs */
  guint n_histories;   /* which come first */
  JmeNodeLedgers *nodes;
  JmeArchiveFill *fill;
  JmeCompleteness *completeness;
  JmeGoodput *goodput;
  JmRunRules *rules; /* NULL where nobody judges runs */

  JmArchiveDatabase
    *store;           /* of the thread of rounds; NULL while it cannot be opened */
  gint64 forget_time; /* when old runs are looked for next, seconds since 1970 */

  GMutex lock;        /* of all below */
  JmFollower *rounds; /* NULL before the first, and after the last */
  JmeLogFilter *log_filter;
  char *lack;        /* of a round, without the peers' */
  gint64 success_us; /* when all was read last, since 1970; 0 for never */
  guint64 n_failures;
  gboolean is_hurried;
};

static const JmSetting rows[] = {
  { .name = HISTORY,
    .group = "server",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "NAME[,PROPERTY=VALUE]...",
    .help = "Accounting to read, each for a cluster of its own",
    .preset_help = "none" },
  { .name = INTERVAL,
    .group = "server",
    .kind = JM_SETTING_DURATION,
    .argument = "SECONDS",
    .help = "Time between two readings of the accounting",
    .preset = "300",
    .low = 1,
    .high = 86400 },
  { .name = MAX_AGE,
    .group = "server",
    .kind = JM_SETTING_COUNT,
    .argument = "SECONDS",
    .help =
      "For how long runs are kept after their end, while sums of days stay; 0 for "
      "good",
    .preset = "0",
    .low = 0,
    .high = G_MAXUINT },
  { .name = RECORD_MAX_AGE,
    .group = "server",
    .kind = JM_SETTING_COUNT,
    .argument = "SECONDS",
    .help = "For how long the nodes' records of runs are kept after their end, with "
            "their course over time; 0 for good",
    .preset = "7776000",
    .low = 0,
    .high = G_MAXUINT },
};

void
jme_archive_intake_add_settings (JmSettings *settings)
{
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
  jme_node_ledgers_add_settings (settings);
  jme_archive_fill_add_settings (settings);
}

/* --- reading --- */

static void
note_well (JmeArchiveIntake *self, const char *about)
{
  g_mutex_lock (&self->lock);
  jme_log_filter_forget (self->log_filter, about);
  g_mutex_unlock (&self->lock);
}

static void
note_failure (JmeArchiveIntake *self, const char *about, const GError *error)
{
  gboolean is_new;

  g_mutex_lock (&self->lock);
  self->n_failures++;
  is_new = jme_log_filter_is_new (self->log_filter, about, error->message);
  g_mutex_unlock (&self->lock);

  if (is_new)
    g_warning ("%s: %s", about, error->message);
}

/* For any thread. A round that somebody waits for asks all histories, too. */
static void
ask_for_round (JmeArchiveIntake *self, gboolean is_hurried)
{
  g_mutex_lock (&self->lock);
  self->is_hurried = self->is_hurried || is_hurried;
  if (self->rounds != NULL)
    jm_follower_ask (self->rounds);
  g_mutex_unlock (&self->lock);
}

/* --- a peer, in its thread --- */

static gboolean
read_history (gpointer user_data,
              JmArchiveDatabase *store,
              GCancellable *cancellable,
              GError **error)
{
  Reading *self = user_data;
  gboolean is_well;

  if (self->intake == NULL)
    self->intake = jm_intake_new (store);
  if (self->history == NULL)
    self->history = jm_intake_open_history (self->specification, error);
  is_well = self->history != NULL &&
            jm_intake_read_history (self->intake, self->history, cancellable, error);

  g_mutex_lock (&self->owner->lock);
  self->n_runs = jm_intake_get_n_runs (self->intake);
  self->n_refused = jm_intake_get_n_refused (self->intake);
  self->n_unread = jm_intake_get_n_unread (self->intake);
  g_mutex_unlock (&self->owner->lock);

  return is_well;
}

static gboolean
fill_runs (gpointer user_data,
           JmArchiveDatabase *store,
           GCancellable *cancellable,
           GError **error)
{
  const Reading *self = user_data;

  return jme_archive_fill_run (self->owner->fill, store, cancellable, error);
}

/* Records may have waited for what comes late: they are read soon. */
static void
note_end (gpointer user_data, const GError *error, gboolean was_late)
{
  const Reading *self = user_data;

  if (error == NULL)
    note_well (self->owner, self->specification);
  else
    note_failure (self->owner, self->specification, error);
  if (was_late)
    ask_for_round (self->owner, FALSE);
}

static Reading *
reading_new (JmeArchiveIntake *owner,
             const char *kind,
             const char *specification,
             JmeIntakePeerFunc read)
{
  Reading *self = g_new0 (Reading, 1);
  const JmeIntakePeerPlan plan = { .kind = kind,
                                   .specification = specification,
                                   .uri = owner->uri,
                                   .interval_us = owner->interval_us,
                                   .read = read,
                                   .note_end = note_end,
                                   .user_data = self };

  self->owner = owner;
  self->specification = specification;
  self->peer = jme_intake_peer_new (&plan);

  return self;
}

static void
reading_free (gpointer data)
{
  Reading *self = data;

  jme_intake_peer_free (self->peer);
  g_clear_object (&self->intake);
  g_clear_object (&self->history);
  g_free (self);
}

/* --- a round --- */

static gboolean
open_store (JmeArchiveIntake *self, GCancellable *cancellable, GError **error)
{
  if (self->store == NULL)
    self->store = jm_archive_database_open (self->uri, error);
  if (self->store == NULL)
    return FALSE;

  jm_archive_database_set_stop (self->store, cancellable);

  return TRUE;
}

static void
set_lack (JmeArchiveIntake *self, const char *about, const GError *error)
{
  g_mutex_lock (&self->lock);
  g_free (self->lack);
  self->lack = g_strdup_printf ("%s: %s", about, error->message);
  g_mutex_unlock (&self->lock);
  note_failure (self, about, error);
}

static gboolean
ask_nodes (JmeArchiveIntake *self,
           const char *topic,
           gboolean (*ask) (JmeNodeLedgers *nodes,
                            JmArchiveDatabase *store,
                            GCancellable *cancellable,
                            GError **error),
           GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  if (ask (self->nodes, self->store, cancellable, &error))
    {
      note_well (self, topic);
      return TRUE;
    }
  if (!g_cancellable_is_cancelled (cancellable))
    set_lack (self, topic, error);

  return FALSE;
}

static gboolean
take_hurry (JmeArchiveIntake *self)
{
  gboolean was_hurried;

  g_mutex_lock (&self->lock);
  was_hurried = self->is_hurried;
  self->is_hurried = FALSE;
  g_mutex_unlock (&self->lock);

  return was_hurried;
}

/* Not anew in a round that follows a late one soon. */
static void
ask_histories (JmeArchiveIntake *self, gboolean is_hurried)
{
  GHashTable *targets = jm_archive_database_get_targets (self->store);

  for (guint i = 0; i < self->n_histories; i++)
    {
      if (targets != NULL)
        jme_intake_peer_set_targets (self->peers->pdata[i], targets);
      jme_intake_peer_ask (self->peers->pdata[i],
                           is_hurried ? 0 : self->interval_us / 2);
    }
}

static gboolean
wait_for_histories (JmeArchiveIntake *self,
                    gint64 patience_us,
                    GCancellable *cancellable)
{
  gint64 until_us = g_get_monotonic_time () + patience_us;
  gboolean is_well = TRUE;

  for (guint i = 0; i < self->n_histories; i++)
    is_well &= jme_intake_peer_wait (self->peers->pdata[i], until_us, cancellable);

  return is_well;
}

/* After the ledgers: what they have is not asked for. */
static gboolean
fill (JmeArchiveIntake *self, gint64 patience_us, GCancellable *cancellable)
{
  gint64 until_us = g_get_monotonic_time () + patience_us;
  JmeIntakePeer *database;

  if (self->peers->len == self->n_histories || g_cancellable_is_cancelled (cancellable))
    return TRUE;
  database = self->peers->pdata[self->n_histories];
  jme_intake_peer_ask (database, 0);

  return jme_intake_peer_wait (database, until_us, cancellable);
}

static gboolean
measure (JmeArchiveIntake *self)
{
  g_autoptr (GError) of_completeness = NULL;
  g_autoptr (GError) of_goodput = NULL;

  if (!jme_completeness_measure (self->completeness, self->store, &of_completeness))
    set_lack (self, "the completeness of runs", of_completeness);
  if (!jme_goodput_measure (self->goodput, self->store, &of_goodput))
    set_lack (self, "the productive and lost hours of runs", of_goodput);

  return of_completeness == NULL && of_goodput == NULL;
}

/* Those that are left when its time is over are judged in the next round, which comes
 * soon. */
static gboolean
judge (JmeArchiveIntake *self, gint64 patience_us, GCancellable *cancellable)
{
  static const char topic[] = "the verdicts on runs";
  const gint64 until_us = g_get_monotonic_time () + patience_us;
  gboolean is_done = self->rules == NULL;
  g_autoptr (GError) error = NULL;

  while (!is_done && !g_cancellable_is_cancelled (cancellable) &&
         g_get_monotonic_time () < until_us)
    if (!jm_archive_database_judge (self->store, self->rules, &is_done, &error))
      {
        set_lack (self, topic, error);
        return FALSE;
      }
  note_well (self, topic);
  if (!is_done)
    ask_for_round (self, FALSE);

  return TRUE;
}

static gboolean
forget_runs (JmArchiveDatabase *store, gint64 before, GError **error)
{
  return jm_archive_database_forget (store, before, error) >= 0;
}

/* A full disk or a busy database is logged, and tried again the next time. */
static gboolean
forget_by (JmeArchiveIntake *self,
           const char *setting,
           gint64 now,
           gboolean (*forget) (JmArchiveDatabase *store, gint64 before, GError **error))
{
  guint max_age = jm_settings_get_number (self->settings, setting);
  g_autoptr (GError) error = NULL;

  if (max_age > 0 && !forget (self->store, now - max_age, &error))
    {
      set_lack (self, setting, error);
      return FALSE;
    }
  note_well (self, setting);

  return TRUE;
}

static gboolean
forget_old (JmeArchiveIntake *self)
{
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;

  if (now < self->forget_time)
    return TRUE;
  if (!forget_by (self, MAX_AGE, now, forget_runs) ||
      !forget_by (self, RECORD_MAX_AGE, now, jm_archive_database_forget_records))
    return FALSE;
  self->forget_time = now + FORGET_SECONDS;

  return TRUE;
}

static void
take_outcome (JmeArchiveIntake *self, gboolean are_own_well, gboolean are_peers_well)
{
  g_mutex_lock (&self->lock);
  if (are_own_well)
    g_clear_pointer (&self->lack, g_free);
  if (are_own_well && are_peers_well)
    self->success_us = g_get_real_time ();
  g_mutex_unlock (&self->lock);
}

/* Histories are read side by side. Nodes wait for them, as a record may be of a run
 * that the accounting has first; but not for long. */
static gboolean
run_round (JmeArchiveIntake *self, gint64 patience_us, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  gboolean are_own_well, are_peers_well;

  if (!open_store (self, cancellable, &error))
    {
      set_lack (self, "the archive", error);
      return FALSE;
    }
  are_own_well =
    ask_nodes (self, "the list of nodes", jme_node_ledgers_take_targets, cancellable);
  ask_histories (self, take_hurry (self));
  are_peers_well = wait_for_histories (self, patience_us, cancellable);
  are_own_well &=
    ask_nodes (self, "the nodes' ledgers", jme_node_ledgers_pull, cancellable);
  are_peers_well &= fill (self, patience_us, cancellable);
  are_own_well &= judge (self, patience_us, cancellable);
  if (g_cancellable_is_cancelled (cancellable))
    return FALSE;
  are_own_well &= forget_old (self);
  are_own_well &= measure (self);
  take_outcome (self, are_own_well, are_peers_well);

  return are_own_well && are_peers_well;
}

gboolean
jme_archive_intake_run_once (JmeArchiveIntake *self)
{
  return run_round (self, G_MAXINT64 / 2, NULL);
}

/* What a round lacks is in the state of its parts. */
static gpointer
follow (gpointer self, GCancellable *cancellable, GError **error)
{
  run_round (self, PATIENCE_US, cancellable);

  return NULL;
}

/* Whoever asks during a reading may want what that did not see yet. */
void
jme_archive_intake_hurry (JmeArchiveIntake *self)
{
  ask_for_round (self, TRUE);
}

/* --- figures --- */

static guint64
sum (const JmeArchiveIntake *self, gsize offset)
{
  guint64 value = 0;

  for (guint i = 0; i < self->readings->len; i++)
    value += G_STRUCT_MEMBER (guint64, self->readings->pdata[i], offset);

  return value;
}

static gboolean
get_runs (gconstpointer part, guint64 *value)
{
  *value = sum (part, G_STRUCT_OFFSET (Reading, n_runs));

  return TRUE;
}

static gboolean
get_refused (gconstpointer part, guint64 *value)
{
  *value = sum (part, G_STRUCT_OFFSET (Reading, n_refused));

  return TRUE;
}

static gboolean
get_unread (gconstpointer part, guint64 *value)
{
  *value = sum (part, G_STRUCT_OFFSET (Reading, n_unread));

  return TRUE;
}

static gboolean
get_failures (gconstpointer part, guint64 *value)
{
  *value = ((const JmeArchiveIntake *) part)->n_failures;

  return TRUE;
}

static gboolean
get_success (gconstpointer part, guint64 *value)
{
  *value = (guint64) ((const JmeArchiveIntake *) part)->success_us;

  return *value > 0;
}

static const JmeFigure figures[] = {
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_server_runs_total",
    "Runs that were read into the archive, new and known ones.", 0, get_runs },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_server_refused_runs_total",
    "Runs that were read and could not be kept.", 0, get_refused },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_server_history_unread_records_total",
    "Rows and values of histories that could not be read. What is read again is "
    "counted again.",
    0, get_unread },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_server_read_failures_total",
    "Times that something could not be read into the archive, or dropped from it.", 0,
    get_failures },
  { JM_FAMILY_KIND_GAUGE, "jobmetrics_server_last_success_time_seconds",
    "Time of the last complete reading of everything, seconds since 1970.", 6,
    get_success },
};

void
jme_archive_intake_append_figures (JmeArchiveIntake *self,
                                   JmMetricSelection *selection,
                                   JmTextWriter *writer)
{
  g_mutex_lock (&self->lock);
  jme_figures_append (figures, G_N_ELEMENTS (figures), self, selection, writer);
  g_mutex_unlock (&self->lock);
  jme_completeness_append_figures (self->completeness, selection, writer);
  jme_goodput_append_figures (self->goodput, selection, writer);
  jme_node_ledgers_append_figures (self->nodes, selection, writer);
  jme_archive_fill_append_figures (self->fill, selection, writer);
}

gboolean
jme_archive_intake_match_figures (const char *pattern)
{
  return jme_figures_match (figures, G_N_ELEMENTS (figures), pattern) ||
         jme_completeness_match_figures (pattern) ||
         jme_goodput_match_figures (pattern) ||
         jme_node_ledgers_match_figures (pattern) ||
         jme_archive_fill_match_figures (pattern);
}

/* --- state --- */

void
jme_archive_intake_list_peers (JmeArchiveIntake *self, GPtrArray *peers)
{
  for (guint i = 0; i < self->peers->len; i++)
    jme_intake_peer_list (self->peers->pdata[i], peers);
}

void
jme_archive_intake_append_nodes (JmeArchiveIntake *self, JmTextWriter *writer)
{
  jme_node_ledgers_append_peers (self->nodes, writer);
}

/* The first, of what a round does itself before what peers do. */
static char *
find_problem (JmeArchiveIntake *self)
{
  g_autoptr (GPtrArray) peers = jme_peers_new ();
  char *problem;

  g_mutex_lock (&self->lock);
  problem = g_strdup (self->lack);
  g_mutex_unlock (&self->lock);
  jme_archive_intake_list_peers (self, peers);
  for (guint i = 0; problem == NULL && i < peers->len; i++)
    {
      const JmePeerState *peer = peers->pdata[i];

      if (peer->problem != NULL)
        problem = g_strdup_printf ("%s: %s", peer->specification, peer->problem);
    }

  return problem;
}

static gint64
get_success_us (JmeArchiveIntake *self)
{
  gint64 success_us;

  g_mutex_lock (&self->lock);
  success_us = self->success_us;
  g_mutex_unlock (&self->lock);

  return success_us;
}

void
jme_archive_intake_append_state (JmeArchiveIntake *self, JmJsonWriter *json)
{
  g_autofree char *problem = find_problem (self);
  gint64 success_us = get_success_us (self);

  if (success_us > 0)
    jm_json_writer_add_int (json, "last_success_time", success_us / G_USEC_PER_SEC);
  else
    jm_json_writer_add_text (json, "last_success_time", NULL);
  jm_json_writer_add_text (json, "problem", problem);
  jme_completeness_append_state (self->completeness, json);
  jme_node_ledgers_append_state (self->nodes, json);
}

const char *
jme_archive_intake_explain_node (const char *cluster,
                                 const char *node,
                                 gint64 end_time,
                                 gpointer self)
{
  return jme_node_ledgers_explain (((JmeArchiveIntake *) self)->nodes, cluster, node,
                                   end_time);
}

char *
jme_archive_intake_describe_lack (JmeArchiveIntake *self)
{
  g_autofree char *problem = find_problem (self);

  if (problem != NULL)
    return g_strdup_printf ("%s\n", problem);

  return get_success_us (self) == 0 ? g_strdup ("The accounting is being read.\n")
                                    : NULL;
}

char *
jme_archive_intake_describe_failed_nodes (JmeArchiveIntake *self)
{
  return jme_node_ledgers_describe_lack (self->nodes);
}

/* --- begin and end --- */

/* Invalid settings are refused at once; the scheduler is asked later, in the thread.
 */
static gboolean
check (const JmSettings *settings, const char *specification, GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) reason = NULL;
  g_autoptr (JmSource) source =
    jm_registry_make (JM_SOURCE_KIND_HISTORY, specification, host, &reason);

  return source != NULL ||
         jm_settings_refuse (settings, HISTORY, NULL, reason->message, error);
}

const char *const *
jme_archive_intake_get_histories (const JmSettings *settings)
{
  return jm_settings_get_list (settings, HISTORY);
}

static void
add_reading (JmeArchiveIntake *self,
             const char *kind,
             const char *specification,
             JmeIntakePeerFunc read)
{
  Reading *reading = reading_new (self, kind, specification, read);

  g_ptr_array_add (self->readings, reading);
  g_ptr_array_add (self->peers, reading->peer);
}

static void
add_readings (JmeArchiveIntake *self, const char *const *histories)
{
  const char *database = jme_archive_fill_get_name (self->fill);

  self->readings = g_ptr_array_new_with_free_func (reading_free);
  self->peers = g_ptr_array_new ();
  for (; histories != NULL && *histories != NULL; histories++)
    add_reading (self, "history", *histories, read_history);
  self->n_histories = self->peers->len;
  if (database != NULL)
    add_reading (self, "tsdb", database, fill_runs);
}

JmeArchiveIntake *
jme_archive_intake_new (const JmSettings *settings, const char *uri, GError **error)
{
  const char *const *specifications = jm_settings_get_list (settings, HISTORY);
  JmeNodeLedgers *nodes;
  JmeArchiveFill *fill;
  JmeArchiveIntake *self;

  for (guint i = 0; specifications != NULL && specifications[i] != NULL; i++)
    if (!check (settings, specifications[i], error))
      return NULL;
  fill = jme_archive_fill_new (settings, error);
  if (fill == NULL)
    return NULL;

  nodes = jme_node_ledgers_new (settings, error);
  if (nodes == NULL)
    {
      jme_archive_fill_free (fill);
      return NULL;
    }

  self = g_new0 (JmeArchiveIntake, 1);
  self->nodes = nodes;
  self->fill = fill;
  self->completeness = jme_completeness_new ();
  self->goodput = jme_goodput_new ();
  self->uri = g_strdup (uri);
  self->settings = settings;
  self->interval_us = (gint64) jm_settings_get_number (settings, INTERVAL) * 1000;
  self->log_filter = jme_log_filter_new ();
  g_mutex_init (&self->lock);
  add_readings (self, specifications);

  return self;
}

void
jme_archive_intake_set_rules (JmeArchiveIntake *self, JmRunRules *rules)
{
  self->rules = jm_run_rules_ref (rules);
}

void
jme_archive_intake_start (JmeArchiveIntake *self)
{
  const JmFollowerPace pace = { .period_us = self->interval_us,
                                .pause_us = MIN (PAUSE_US, self->interval_us) };

  g_mutex_lock (&self->lock);
  self->rounds = jm_follower_new ("intake", &pace, follow, self, NULL, NULL);
  g_mutex_unlock (&self->lock);
}

static void
end_rounds (JmeArchiveIntake *self)
{
  JmFollower *rounds;

  g_mutex_lock (&self->lock);
  rounds = g_steal_pointer (&self->rounds);
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&rounds, jm_follower_free);
}

void
jme_archive_intake_free (JmeArchiveIntake *self)
{
  end_rounds (self);
  g_ptr_array_unref (self->peers);
  g_ptr_array_unref (self->readings);
  jme_node_ledgers_free (self->nodes);
  g_clear_object (&self->store);
  jme_archive_fill_free (self->fill);
  jme_completeness_free (self->completeness);
  jme_goodput_free (self->goodput);
  g_clear_pointer (&self->rules, jm_run_rules_unref);
  jme_log_filter_free (self->log_filter);
  g_mutex_clear (&self->lock);
  g_free (self->lack);
  g_free (self->uri);
  g_free (self);
}
