/* jme-archive-intake.c: reads what schedulers tell into the archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-archive-intake.h"

#include <string.h>

#include "archive/import/jm-intake-private.h"
#include "daemon/jme-figures.h"
#include "daemon/jme-log-filter.h"
#include "registry/jm-registry.h"
#include "server/jme-archive-fill.h"
#include "server/jme-intake-state.h"
#include "server/jme-node-ledgers.h"

#define HISTORY "server.history"
#define INTERVAL "server.interval"
#define PEERS "jobmetrics_server_peer_success_time_seconds"
#define MAX_AGE "server.max-age"
#define RECORD_MAX_AGE "server.record-max-age"

/* Between two readings at least, however many ask for one. */
#define PAUSE_US (10 * G_USEC_PER_SEC)
/* How often runs that are too old are looked for. */
#define FORGET_SECONDS 3600

struct _JmeAccountsIntake
{
  char *uri;
  const JmSettings *settings;
  gint64 interval_us;
  JmeHistoryReading *readings; /* their outcomes are under the lock */
  guint n_readings;
  JmeLogFilter *log_filter;

  GThread *thread; /* NULL while it has not begun */
  GCancellable *cancellable;
  JmArchiveDatabase *store; /* the thread's; NULL while it cannot be opened */
  gint64 forget_time;       /* when old runs are looked for next, seconds since 1970 */
  JmIntake *intake;         /* the thread's; NULL while the store cannot be opened */
  JmeNodeLedgers *nodes;
  JmeArchiveFill *fill;
  JmeCompleteness *completeness;

  GMutex lock; /* of all below */
  GCond wake;
  char *lack;
  guint64 n_runs, n_refused;
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
set_lack (JmeArchiveIntake *self, const char *about, const GError *error)
{
  g_mutex_lock (&self->lock);
  g_free (self->lack);
  self->lack = g_strdup_printf ("%s: %s\n", about, error->message);
  self->n_failures++;
  g_mutex_unlock (&self->lock);

  if (jme_log_filter_is_new (self->log_filter, about, error->message))
    g_warning ("%s: %s", about, error->message);
}

static gboolean
open_store (JmeArchiveIntake *self, GError **error)
{
  g_autoptr (JmArchiveDatabase) store = NULL;

  if (self->intake != NULL)
    return TRUE;
  store = jm_archive_database_open (self->uri, error);
  if (store == NULL)
    return FALSE;
  self->intake = jm_intake_new (store);
  self->store = g_steal_pointer (&store);

  return TRUE;
}

static gboolean
read_and_tell (JmeArchiveIntake *self, JmeHistoryReading *reading)
{
  g_autoptr (GError) error = NULL;
  gboolean is_well =
    jme_history_reading_run (reading, self->intake, self->cancellable, &error);

  if (is_well)
    jme_log_filter_forget (self->log_filter, reading->specification);
  else if (!g_cancellable_is_cancelled (self->cancellable))
    set_lack (self, reading->specification, error);

  g_mutex_lock (&self->lock);
  jme_history_reading_take_outcome (reading, error);
  self->n_runs = jm_intake_get_n_runs (self->intake);
  self->n_refused = jm_intake_get_n_refused (self->intake);
  g_mutex_unlock (&self->lock);

  return is_well;
}

static gboolean
ask_nodes (JmeArchiveIntake *self,
           const char *topic,
           gboolean (*ask) (JmeNodeLedgers *nodes,
                            JmArchiveDatabase *store,
                            GCancellable *cancellable,
                            GError **error))
{
  g_autoptr (GError) error = NULL;

  if (ask (self->nodes, self->store, self->cancellable, &error))
    {
      jme_log_filter_forget (self->log_filter, topic);
      return TRUE;
    }
  if (!g_cancellable_is_cancelled (self->cancellable))
    set_lack (self, topic, error);

  return FALSE;
}

/* After the ledgers: what they tell is not asked for. */
static gboolean
fill_and_tell (JmeArchiveIntake *self)
{
  const char *name = jme_archive_fill_get_name (self->fill);
  g_autoptr (GError) error = NULL;

  if (name == NULL)
    return TRUE;
  if (jme_archive_fill_run (self->fill, self->store, self->cancellable, &error))
    {
      jme_log_filter_forget (self->log_filter, name);
      return TRUE;
    }
  if (!g_cancellable_is_cancelled (self->cancellable))
    set_lack (self, name, error);

  return FALSE;
}

static gboolean
measure (JmeArchiveIntake *self)
{
  g_autoptr (GError) error = NULL;

  if (jme_completeness_measure (self->completeness, self->store, &error))
    return TRUE;
  set_lack (self, "the completeness of runs", error);

  return FALSE;
}

static gboolean
forget_runs (JmArchiveDatabase *store, gint64 before, GError **error)
{
  return jm_archive_database_forget (store, before, error) >= 0;
}

/* A full disk or a busy database is told, and tried again the next time. */
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
  jme_log_filter_forget (self->log_filter, setting);

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
take_success (JmeArchiveIntake *self)
{
  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->lack, g_free);
  self->success_us = g_get_real_time ();
  g_mutex_unlock (&self->lock);
}

gboolean
jme_archive_intake_run_once (JmeArchiveIntake *self)
{
  g_autoptr (GError) error = NULL;
  gboolean is_well = TRUE;

  if (!open_store (self, &error))
    {
      set_lack (self, "the archive", error);
      return FALSE;
    }
  /* before the accounting, whose lists of nodes have names of these */
  is_well &= ask_nodes (self, "the list of nodes", jme_node_ledgers_take_targets);
  for (guint i = 0; i < self->n_readings; i++)
    is_well &= read_and_tell (self, &self->readings[i]);
  /* after it: a record may wait for a run that the accounting has first */
  is_well &= ask_nodes (self, "the nodes' ledgers", jme_node_ledgers_pull);
  is_well &= fill_and_tell (self);
  is_well &= forget_old (self);
  is_well &= measure (self);
  if (is_well)
    take_success (self);

  return is_well;
}

void
jme_archive_intake_hurry (JmeArchiveIntake *self)
{
  g_mutex_lock (&self->lock);
  self->is_hurried = TRUE;
  g_cond_broadcast (&self->wake);
  g_mutex_unlock (&self->lock);
}

/* Whoever asked during the last reading may want what that did not see yet. */
static gboolean
wait (JmeArchiveIntake *self)
{
  const gint64 now_us = g_get_monotonic_time ();
  gboolean goes_on = TRUE;

  g_mutex_lock (&self->lock);
  while (goes_on && !g_cancellable_is_cancelled (self->cancellable))
    goes_on =
      g_cond_wait_until (&self->wake, &self->lock,
                         now_us + (self->is_hurried ? MIN (PAUSE_US, self->interval_us)
                                                    : self->interval_us));
  self->is_hurried = FALSE;
  g_mutex_unlock (&self->lock);

  return !g_cancellable_is_cancelled (self->cancellable);
}

static gpointer
run (gpointer user_data)
{
  JmeArchiveIntake *self = user_data;

  do
    jme_archive_intake_run_once (self);
  while (wait (self));

  return NULL;
}

/* --- figures --- */

static gboolean
get_runs (gconstpointer part, guint64 *value)
{
  *value = ((const JmeArchiveIntake *) part)->n_runs;

  return TRUE;
}

static gboolean
get_refused (gconstpointer part, guint64 *value)
{
  *value = ((const JmeArchiveIntake *) part)->n_refused;

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
    "Runs that were read into the archive, new ones and such as were there.", 0,
    get_runs },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_server_refused_runs_total",
    "Runs that were read and could not be kept.", 0, get_refused },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_server_read_failures_total",
    "Times that something could not be read into the archive, or dropped from it.", 0,
    get_failures },
  { JM_FAMILY_KIND_GAUGE, "jobmetrics_server_last_success_time_seconds",
    "When everything was read to its end last, seconds since 1970.", 6, get_success },
};

static void
append_peers (JmeArchiveIntake *self, JmTextWriter *writer)
{
  jm_text_writer_begin_family (writer, JM_FAMILY_KIND_GAUGE, PEERS,
                               "When each history and node was read to its end last, "
                               "seconds since 1970.");
  g_mutex_lock (&self->lock);
  jme_history_reading_append_samples (self->readings, self->n_readings, writer);
  g_mutex_unlock (&self->lock);
  jme_node_ledgers_append_peers (self->nodes, writer);
}

void
jme_archive_intake_append_figures (JmeArchiveIntake *self,
                                   JmMetricSelection *selection,
                                   JmTextWriter *writer)
{
  g_mutex_lock (&self->lock);
  jme_figures_append (figures, G_N_ELEMENTS (figures), self, selection, writer);
  g_mutex_unlock (&self->lock);
  if (jm_metric_selection_has_name (selection, PEERS))
    append_peers (self, writer);
  jme_completeness_append_figures (self->completeness, selection, writer);
  jme_node_ledgers_append_figures (self->nodes, selection, writer);
  jme_archive_fill_append_figures (self->fill, selection, writer);
}

gboolean
jme_archive_intake_match_figures (const char *pattern)
{
  return jme_figures_match (figures, G_N_ELEMENTS (figures), pattern) ||
         g_pattern_match_simple (pattern, PEERS) ||
         jme_completeness_match_figures (pattern) ||
         jme_node_ledgers_match_figures (pattern) ||
         jme_archive_fill_match_figures (pattern);
}

/* --- state --- */

void
jme_archive_intake_append_state (JmeArchiveIntake *self, JmJsonWriter *json)
{
  g_autofree char *lack = NULL;

  g_mutex_lock (&self->lock);
  lack = self->lack != NULL ? g_strchomp (g_strdup (self->lack)) : NULL;
  jme_history_reading_append_success (json, self->success_us);
  jm_json_writer_add_text (json, "problem", lack);
  jm_json_writer_begin_array (json, "histories");
  for (guint i = 0; i < self->n_readings; i++)
    jme_history_reading_append_state (&self->readings[i], json);
  g_mutex_unlock (&self->lock);
  jm_json_writer_end_array (json);
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
  char *lack;

  g_mutex_lock (&self->lock);
  lack = g_strdup (self->lack != NULL      ? self->lack
                   : self->success_us == 0 ? "The accounting is being read.\n"
                                           : NULL);
  g_mutex_unlock (&self->lock);

  return lack;
}

char *
jme_archive_intake_describe_failed_nodes (JmeArchiveIntake *self)
{
  return jme_node_ledgers_describe_lack (self->nodes);
}

/* --- begin and end --- */

/* What cannot be meant is told at once; the scheduler is asked later, in the thread. */
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

JmeArchiveIntake *
jme_archive_intake_new (const JmSettings *settings, const char *uri, GError **error)
{
  const char *const *specifications = jm_settings_get_list (settings, HISTORY);
  guint n = specifications != NULL ? g_strv_length ((char **) specifications) : 0;
  JmeNodeLedgers *nodes;
  JmeArchiveFill *fill;
  JmeArchiveIntake *self;

  for (guint i = 0; i < n; i++)
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
  self->uri = g_strdup (uri);
  self->settings = settings;
  self->interval_us = (gint64) jm_settings_get_number (settings, INTERVAL) * 1000;
  self->log_filter = jme_log_filter_new ();
  self->cancellable = g_cancellable_new ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->wake);
  self->readings = g_new0 (JmeHistoryReading, n);
  self->n_readings = n;
  for (guint i = 0; i < n; i++)
    self->readings[i].specification = specifications[i];

  return self;
}

void
jme_archive_intake_start (JmeArchiveIntake *self)
{
  self->thread = g_thread_new ("intake", run, self);
}

static void
end (JmeArchiveIntake *self)
{
  g_cancellable_cancel (self->cancellable);
  g_mutex_lock (&self->lock);
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
  g_thread_join (g_steal_pointer (&self->thread));
}

void
jme_archive_intake_free (JmeArchiveIntake *self)
{
  if (self->thread != NULL)
    end (self);
  for (guint i = 0; i < self->n_readings; i++)
    jme_history_reading_clear (&self->readings[i]);
  jme_node_ledgers_free (self->nodes);
  g_clear_object (&self->intake);
  g_clear_object (&self->store);
  jme_archive_fill_free (self->fill);
  jme_completeness_free (self->completeness);
  g_object_unref (self->cancellable);
  jme_log_filter_free (self->log_filter);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->wake);
  g_free (self->readings);
  g_free (self->lack);
  g_free (self->uri);
  g_free (self);
}
