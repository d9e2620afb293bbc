/* jm-ledger-stage.c: the record of each job, in every round
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "core/jm-collector-set-private.h"
#include "core/jm-job-private.h"
#include "core/jm-readings-private.h"
#include "core/jm-snapshot-private.h"
#include "host/jm-host-private.h"
#include "node/jm-stage-private.h"
#include "node/ledger/jm-counter-carry-private.h"
#include "node/ledger/jm-job-history-private.h"
#include "sql/jm-versioned-private.h"

/* What is kept of the counters of a run: for each of its subjects. */
#define COUNTERS "counters"
#define COUNTERS_TYPE "a{s" JM_COUNTER_CARRY_TYPE "}"
/* The id of the boot, and when that was: another time once the clock is set. */
#define CLOCK "clock"
#define OF_BOOT "boot"
#define CLOCK_VERSION 1
#define CLOCK_TYPE "(sx)"
#define LEAST_STEP_US (2 * G_USEC_PER_SEC)
/* By then every job that goes on was seen: so many rounds in which all of the tree
 * could be read, or so many at all, where some of it never can. */
#define ROUNDS_TO_FIND 3
#define MAX_ROUNDS_TO_FIND 60

typedef struct
{
  char *node;
  char *boot_id;    /* NULL where it is not known */
  gint64 booted_us; /* by the clock as it was last; 0 for not known */
  gint64 moved_us;  /* by how much the clock was set since what was kept */
  gboolean keeps_clock;
  gint64 began_us;      /* the first round, by the clock as it was last */
  JmLedger *ledger;     /* NULL for none */
  GHashTable *running;  /* of JmJobRecord by key: that an earlier program kept */
  GHashTable *counters; /* of GBytes by key: of those */
  GHashTable *kept;     /* of GBytes by key: as this one keeps them */
  guint n_rounds;
  guint n_whole_rounds; /* without an error on the way to a job */
} LedgerStage;

/* Of a subject. */
typedef struct
{
  JmCounterCarry *carry; /* what an earlier program showed; NULL for nothing */
  GArray *shown;         /* of JmReading: as they were shown last */
} Counters;

static gpointer
ledger_open (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems)
{
  LedgerStage *self = g_new0 (LedgerStage, 1);

  self->node =
    g_strdup (plan->node_name != NULL ? plan->node_name : g_get_host_name ());
  self->boot_id = jm_host_read_boot_id (
    jm_source_get_host (jm_source_set_find (sources, JM_SOURCE_KIND_PROCESSES)));
  self->kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                      (GDestroyNotify) g_bytes_unref);

  return self;
}

static void
ledger_close (gpointer data)
{
  LedgerStage *self = data;

  g_clear_object (&self->ledger);
  g_clear_pointer (&self->running, g_hash_table_unref);
  g_clear_pointer (&self->counters, g_hash_table_unref);
  g_hash_table_unref (self->kept);
  g_free (self->boot_id);
  g_free (self->node);
  g_free (self);
}

/* --- the clock --- */

/* By how much it was set since the last time. */
static gint64
follow_clock (LedgerStage *self)
{
  gint64 booted_us = jm_clock_get_boot_ns () / 1000;
  gint64 step_us = self->booted_us != 0 ? booted_us - self->booted_us : 0;

  if (self->booted_us == 0)
    self->booted_us = booted_us;
  if (ABS (step_us) < LEAST_STEP_US)
    return 0;

  self->booted_us = booted_us;
  self->moved_us += step_us;
  if (self->began_us != 0)
    self->began_us += step_us;
  self->keeps_clock = FALSE;
  g_message ("the clock was set by %+.0f s: the begin of each job that runs moves by "
             "as much",
             (double) step_us / G_USEC_PER_SEC);

  return step_us;
}

static void
restore_clock (LedgerStage *self, const JmCheckpoint *checkpoint)
{
  g_autoptr (GHashTable) kept = jm_checkpoint_load (checkpoint, CLOCK);
  GBytes *bytes = g_hash_table_lookup (kept, OF_BOOT);
  g_autoptr (GVariant) value =
    bytes != NULL ? jm_versioned_unpack (bytes, CLOCK_VERSION, CLOCK_TYPE) : NULL;
  const char *boot_id;
  gint64 booted_us;

  if (value == NULL)
    return;

  g_variant_get (value, "(&sx)", &boot_id, &booted_us);
  if (g_strcmp0 (boot_id, self->boot_id) == 0)
    self->booted_us = booted_us;
  follow_clock (self);
}

static void
move_histories (GPtrArray *jobs, gint64 by_us)
{
  for (guint i = 0; i < jobs->len; i++)
    {
      JmJobHistory *history =
        jm_tracked_job_get_slot (jobs->pdata[i], JM_JOB_SLOT_HISTORY)->state;

      if (history != NULL)
        jm_job_history_move (history, by_us);
    }
}

/* Before a time of the clock is compared with one that a history has. */
static void
move_with_clock (LedgerStage *self, JmRound *round)
{
  gint64 step_us = follow_clock (self);

  for (guint t = 0; step_us != 0 && t < round->trackers->len; t++)
    move_histories (jm_job_tracker_get_jobs (round->trackers->pdata[t]), step_us);
}

static void
save_clock (LedgerStage *self, JmLedgerBatch *batch)
{
  g_autoptr (GBytes) bytes = NULL;

  if (self->keeps_clock || self->boot_id == NULL)
    return;

  bytes = jm_versioned_pack (CLOCK_VERSION, g_variant_new (CLOCK_TYPE, self->boot_id,
                                                           self->booted_us));
  jm_ledger_batch_set (batch, CLOCK, OF_BOOT, bytes);
  self->keeps_clock = TRUE;
}

/* --- what an earlier program kept --- */

static void
ledger_restore (gpointer data, const JmCheckpoint *checkpoint, const GPtrArray *running)
{
  LedgerStage *self = data;

  self->ledger = g_object_ref (jm_checkpoint_get_ledger (checkpoint));
  self->running = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                         (GDestroyNotify) jm_job_record_unref);
  for (guint i = 0; i < running->len; i++)
    g_hash_table_insert (self->running,
                         (gpointer) jm_job_record_get_key (running->pdata[i]),
                         jm_job_record_ref (running->pdata[i]));

  self->counters = jm_checkpoint_load (checkpoint, COUNTERS);
  restore_clock (self, checkpoint);
}

static JmJobHistory *
make_history (LedgerStage *self, JmTrackedJob *tracked)
{
  const char *key = jm_job_get_run_key (jm_tracked_job_get_job (tracked));
  JmJobRecord *record = self->running != NULL && key != NULL
                          ? g_hash_table_lookup (self->running, key)
                          : NULL;
  JmJobHistory *history;

  if (record == NULL)
    return jm_job_history_new (jm_tracked_job_find_begin (tracked));

  history = jm_job_history_restore (record);
  jm_job_history_move (history, self->moved_us);
  g_hash_table_remove (self->running, key);

  return history;
}

static void
history_free (gpointer history)
{
  jm_job_history_free (history);
}

static JmJobHistory *
get_history (LedgerStage *self, JmTrackedJob *tracked)
{
  JmSlot *slot = jm_tracked_job_get_slot (tracked, JM_JOB_SLOT_HISTORY);

  if (slot->state == NULL)
    *slot = (JmSlot){ make_history (self, tracked), history_free };

  return slot->state;
}

/* --- counters that go on --- */

/* A step of another's name is impossible: a name holds no line feed. */
static char *
make_name (const JmTrackedSubject *subject)
{
  JmLabels *labels = jm_tracked_subject_get_labels (subject);
  GString *name = g_string_new (NULL);

  for (guint i = 0; labels != NULL && i < jm_labels_get_size (labels); i++)
    g_string_append_printf (name, "%s\n", jm_labels_get_value (labels, i));

  return g_string_free (name, FALSE);
}

static JmCounterCarry *
find_carry (LedgerStage *self, const JmTrackedSubject *subject)
{
  JmTrackedJob *job = jm_tracked_subject_get_job (subject);
  const char *key = jm_job_get_run_key (jm_tracked_job_get_job (job));
  GBytes *bytes = self->counters != NULL && key != NULL
                    ? g_hash_table_lookup (self->counters, key)
                    : NULL;
  g_autofree char *name = make_name (subject);
  g_autoptr (GVariant) all = NULL;
  g_autoptr (GVariant) saved = NULL;

  if (bytes == NULL)
    return NULL;

  all = g_variant_ref_sink (
    g_variant_new_from_bytes (G_VARIANT_TYPE (COUNTERS_TYPE), bytes, FALSE));
  saved = g_variant_lookup_value (all, name, G_VARIANT_TYPE (JM_COUNTER_CARRY_TYPE));

  return saved != NULL ? jm_counter_carry_restore (saved) : NULL;
}

static void
counters_free (gpointer data)
{
  Counters *self = data;

  g_clear_pointer (&self->carry, jm_counter_carry_free);
  g_array_unref (self->shown);
  g_free (self);
}

static Counters *
get_counters (LedgerStage *self, JmTrackedSubject *subject)
{
  JmSlot *slot = jm_tracked_subject_get_slot (subject);
  Counters *counters = slot->state;

  if (counters != NULL)
    return counters;

  counters = g_new0 (Counters, 1);
  counters->carry = find_carry (self, subject);
  counters->shown = counters->carry != NULL
                      ? jm_counter_carry_list_shown (counters->carry)
                      : jm_counter_carry_make_shown ();
  *slot = (JmSlot){ counters, counters_free };

  return counters;
}

static void
carry_on (LedgerStage *self, JmRound *round)
{
  Counters *counters = get_counters (self, round->subject);

  if (counters->carry != NULL)
    jm_counter_carry_apply (counters->carry, round->readings, round->from,
                            round->is_late);
}

/* --- a visit --- */

static guint64
add_up (JmRound *round, JmMetric metric)
{
  guint n;
  const JmReading *readings = jm_readings_get_values (round->readings, &n);
  guint64 sum = 0;

  for (guint i = round->from; i < n; i++)
    if (readings[i].metric == metric)
      sum += readings[i].value;

  return sum;
}

/* A job none of whose processes was seen had some all the same. */
static void
add_peak (JmRound *round, JmJobHistory *history, JmMetric peak, guint64 now)
{
  guint64 most = jm_job_history_raise_peak (history, peak, now);

  if (most > 0 &&
      jm_readings_begin (round->readings, jm_metric_get_info (peak)->collector))
    jm_readings_add (round->readings, peak, most);
}

static void
add_peaks (JmRound *round, JmJobHistory *history)
{
  add_peak (round, history, JM_METRIC_PROCESSES_PEAK,
            add_up (round, JM_METRIC_PROCESSES));
  add_peak (round, history, JM_METRIC_THREADS_PEAK, add_up (round, JM_METRIC_THREADS));
  add_peak (round, history, JM_METRIC_MEMORY_RESIDENT_PEAK,
            add_up (round, JM_METRIC_MEMORY_RSS) +
              add_up (round, JM_METRIC_MEMORY_SHMEM));
}

static void
ledger_visit (gpointer data, JmRound *round, guint subject)
{
  LedgerStage *self = data;
  JmTrackedJob *tracked = jm_tracked_subject_get_job (round->subject);

  if (!round->is_read || jm_tracked_job_get_job (tracked) == NULL)
    return;

  carry_on (self, round);
  if (jm_tracked_subject_get_kind (round->subject) != JM_SUBJECT_KIND_JOB)
    return;

  add_peaks (round, get_history (self, tracked));
}

/* --- the ledger's own figures --- */

static void
add_labelled (JmReadings *readings,
              JmMetric metric,
              const JmLedgerTotal *total,
              const char *quality,
              guint64 value)
{
  g_autoptr (JmLabels) labels =
    jm_labels_of (total->user, total->account, quality, NULL);

  jm_readings_add_labelled (readings, metric, labels, value);
}

static void
add_total (JmReadings *readings, const JmLedgerTotal *total)
{
  static const char *const qualities[] = { JM_QUALITY_MEASURED, JM_QUALITY_ESTIMATED };

  add_labelled (readings, JM_METRIC_LEDGER_JOBS, total, NULL, total->n_jobs);
  add_labelled (readings, JM_METRIC_LEDGER_CPU, total, NULL, total->cpu_ns);
  for (guint i = 0; i < G_N_ELEMENTS (qualities); i++)
    {
      if (total->energy_uj[i] > 0)
        add_labelled (readings, JM_METRIC_LEDGER_ENERGY, total, qualities[i],
                      total->energy_uj[i]);
      if (total->emissions_ug[i] > 0)
        add_labelled (readings, JM_METRIC_LEDGER_EMISSIONS, total, qualities[i],
                      (guint64) total->emissions_ug[i]);
    }
}

static void
ledger_end (gpointer data, JmRound *round)
{
  LedgerStage *self = data;
  const JmSubject subject = { .kind = JM_SUBJECT_KIND_LEDGER,
                              .parent = JM_NODE_SUBJECT };
  g_auto (JmLedgerStatus) status = { 0 };
  g_autoptr (GArray) totals = NULL;

  if (self->ledger == NULL || !jm_readings_begin (round->readings, JM_COLLECTOR_LEDGER))
    return;

  jm_round_add_subject (round, &subject);
  jm_ledger_get_status (self->ledger, &status);
  jm_readings_add (round->readings, JM_METRIC_LEDGER_UP, status.is_writable);
  jm_readings_add (round->readings, JM_METRIC_LEDGER_RECORDS, status.n_records);
  jm_readings_add (round->readings, JM_METRIC_LEDGER_SIZE, status.size_bytes);
  jm_readings_add (round->readings, JM_METRIC_LEDGER_DROPPED, status.n_dropped);
  if (status.error != NULL)
    jm_readings_add_error (round->readings, status.error);

  totals = jm_ledger_list_totals (self->ledger);
  for (guint i = 0; i < totals->len; i++)
    add_total (round->readings, &g_array_index (totals, JmLedgerTotal, i));
  jm_readings_end (round->readings);
}

/* --- keeping --- */

/* What could not be read in this round is kept as it was shown before. */
static void
save_subject (LedgerStage *self,
              GVariantBuilder *builder,
              JmSnapshot *snapshot,
              JmTrackedSubject *subject)
{
  guint number = jm_tracked_subject_get_number (subject);
  g_autoptr (GVariant) saved = NULL;
  g_autofree char *name = NULL;
  JmTrackedSubject *child;
  guint n = 0;
  const JmReading *readings =
    number != 0 ? jm_snapshot_get_readings_of (snapshot, number, &n) : NULL;
  GArray *shown = get_counters (self, subject)->shown;

  jm_counter_carry_note_shown (shown, readings, n);
  saved = jm_counter_carry_save (shown);
  if (saved != NULL)
    {
      name = make_name (subject);
      g_variant_builder_add (builder, "{s@" JM_COUNTER_CARRY_TYPE "}", name, saved);
    }
  for (guint i = 0; (child = jm_tracked_subject_get_child (subject, i)) != NULL; i++)
    save_subject (self, builder, snapshot, child);
}

/* What did not change is there already. */
static void
save_counters (LedgerStage *self,
               JmRound *round,
               JmTrackedJob *tracked,
               JmLedgerBatch *batch)
{
  const char *key = jm_job_get_run_key (jm_tracked_job_get_job (tracked));
  GVariantBuilder builder;
  g_autoptr (GVariant) all = NULL;
  g_autoptr (GBytes) bytes = NULL;
  GBytes *kept;

  if (key == NULL)
    return;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (COUNTERS_TYPE));
  save_subject (self, &builder, round->snapshot, jm_tracked_job_get_subject (tracked));
  all = g_variant_ref_sink (g_variant_builder_end (&builder));
  bytes = g_variant_get_data_as_bytes (all);
  kept = g_hash_table_lookup (self->kept, key);
  if (kept != NULL && g_bytes_equal (kept, bytes))
    return;

  jm_ledger_batch_set (batch, COUNTERS, key, bytes);
  g_hash_table_replace (self->kept, g_strdup (key), g_steal_pointer (&bytes));
}

static void
append (LedgerStage *self, JmLedgerBatch *batch, JmJobRecord *record)
{
  jm_ledger_batch_append (batch, record);
  g_hash_table_remove (self->kept, jm_job_record_get_key (record));
}

static JmJobReading
get_reading (const JmTrackedSubject *subject)
{
  return (JmJobReading){ jm_tracked_subject_get_read_time (subject),
                         jm_tracked_subject_is_final (subject),
                         !jm_tracked_subject_has_own_cpu (subject),
                         jm_tracked_subject_get_cpu_time (subject) };
}

/* A job that has ended had its share of the round's energy by now. */
static void
save_job (LedgerStage *self,
          JmRound *round,
          JmTrackedJob *tracked,
          JmLedgerBatch *batch)
{
  gint64 now_us = jm_snapshot_get_time (round->snapshot);
  const JmTrackedSubject *subject = jm_tracked_job_get_subject (tracked);
  gint64 end_us = jm_tracked_subject_get_end_time (subject);
  guint number = jm_tracked_subject_get_number (subject);
  JmJob *job = jm_tracked_job_get_job (tracked);
  JmJobHistory *history = get_history (self, tracked);
  const JmJobReading reading = get_reading (subject);
  g_autoptr (JmJobRecord) record = NULL;

  if (jm_job_history_is_closed (history))
    return;

  jm_job_history_take (history, round->snapshot, number, &reading,
                       end_us != 0 ? end_us : now_us);
  if (end_us == 0)
    save_counters (self, round, tracked, batch);
  if (end_us == 0 && !round->is_last && !jm_job_history_is_due (history, job, now_us))
    return;

  record =
    jm_job_history_make_record (history, self->node, round->snapshot, number, end_us);
  if (end_us == 0)
    {
      jm_ledger_batch_set_running (batch, record);
      jm_job_history_keep (history, job, now_us);
      return;
    }

  append (self, batch, record);
  jm_job_history_close (history);
}

/* No run outlives its boot. */
static gint64
find_latest_end (const LedgerStage *self, JmJobRecord *record)
{
  return jm_job_record_get_seen_time (record) < self->booted_us ? self->booted_us
                                                                : self->began_us;
}

/* Of those of another boot, or that ended while no program ran. */
static void
lose_missing (LedgerStage *self, JmLedgerBatch *batch)
{
  GHashTableIter iter;
  gpointer record;

  g_hash_table_iter_init (&iter, self->running);
  while (g_hash_table_iter_next (&iter, NULL, &record))
    {
      g_autoptr (JmJobRecord) lost = NULL;

      if (jm_job_record_get_state (record) == JM_RUN_STATE_ENDED)
        {
          append (self, batch, record);
          continue;
        }

      lost = jm_job_history_lose (record, find_latest_end (self, record));
      append (self, batch, lost);
    }
  g_clear_pointer (&self->running, g_hash_table_unref);
}

static gboolean
have_all_been_seen (LedgerStage *self, JmSnapshot *snapshot)
{
  self->n_rounds++;
  if (jm_snapshot_get_n_errors (snapshot, JM_COLLECTOR_JOBS) == 0)
    self->n_whole_rounds++;

  return self->n_whole_rounds >= ROUNDS_TO_FIND || self->n_rounds >= MAX_ROUNDS_TO_FIND;
}

static void
ledger_save (gpointer data, JmRound *round, JmLedgerBatch *batch)
{
  LedgerStage *self = data;

  if (self->began_us == 0)
    self->began_us = jm_snapshot_get_time (round->snapshot);
  move_with_clock (self, round);
  save_clock (self, batch);
  for (guint t = 0; t < round->trackers->len; t++)
    {
      GPtrArray *jobs = jm_job_tracker_get_jobs (round->trackers->pdata[t]);

      for (guint i = 0; i < jobs->len; i++)
        {
          JmTrackedJob *job = jobs->pdata[i];

          if (jm_tracked_job_get_job (job) != NULL &&
              jm_tracked_subject_get_number (jm_tracked_job_get_subject (job)) != 0)
            save_job (self, round, job, batch);
        }
    }

  if (self->running != NULL && have_all_been_seen (self, round->snapshot))
    lose_missing (self, batch);
}

/* --- between rounds --- */

/* What was read last, and of the rest what the round before had. */
static JmSnapshot *
make_late_snapshot (JmRound *round, JmTrackedSubject *subject, JmJob *job)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const JmSubject subjects[] = {
    { .kind = JM_SUBJECT_KIND_NODE },
    { .kind = JM_SUBJECT_KIND_JOB,
      .parent = JM_NODE_SUBJECT,
      .job = job,
      .end_time = jm_tracked_subject_get_end_time (subject) },
  };
  guint number = jm_tracked_subject_get_number (subject);
  guint n_late, n_before = 0;
  const JmReading *late =
    jm_tracked_subject_get_last_readings (subject, round->last, &n_late);
  const JmReading *before =
    round->last != NULL && number != 0
      ? jm_snapshot_get_readings_of (round->last, number, &n_before)
      : NULL;

  jm_readings_set_subject (readings, JM_RECORD_SUBJECT);
  jm_readings_add_copies (readings, late, n_late);
  for (guint i = 0; i < n_before && before != late; i++)
    if (jm_readings_find (readings, 0, before[i].metric) == NULL ||
        jm_reading_is_of_energy (&before[i]))
      jm_readings_add_copies (readings, &before[i], 1);

  return jm_snapshot_new (subjects[1].end_time, 0, jm_collector_set_get_of_node (),
                          subjects, G_N_ELEMENTS (subjects), readings);
}

/* Its record is written in the next round, with its last energy: until then this is
 * what is left of it if the program is killed. */
static void
ledger_ended (gpointer data,
              JmRound *round,
              JmTrackedJob *tracked,
              JmLedgerBatch *batch)
{
  LedgerStage *self = data;
  JmTrackedSubject *subject = jm_tracked_job_get_subject (tracked);
  gint64 end_us = jm_tracked_subject_get_end_time (subject);
  JmJob *job = jm_tracked_job_get_job (tracked);
  const JmJobReading reading = get_reading (subject);
  JmJobHistory *history;
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autoptr (JmJobRecord) record = NULL;

  if (self->ledger == NULL)
    return;

  move_with_clock (self, round);
  history = get_history (self, tracked);
  if (jm_job_history_is_closed (history))
    return;

  snapshot = make_late_snapshot (round, subject, job);
  jm_job_history_take (history, snapshot, JM_RECORD_SUBJECT, &reading, 0);
  record = jm_job_history_make_record (history, self->node, snapshot, JM_RECORD_SUBJECT,
                                       end_us);
  jm_ledger_batch_set_running (batch, record);
}

/* Without a ledger there is nothing that could succeed or fail. */
static void
ledger_add_idle_collectors (gpointer data, JmCollectorSet *idle)
{
  const LedgerStage *self = data;

  if (self->ledger == NULL)
    jm_collector_set_add (idle, JM_COLLECTOR_LEDGER);
}

const JmStageClass jm_ledger_stage = {
  .name = "ledger",
  .open = ledger_open,
  .close = ledger_close,
  .visit = ledger_visit,
  .end = ledger_end,
  .restore = ledger_restore,
  .save = ledger_save,
  .ended = ledger_ended,
  .add_idle_collectors = ledger_add_idle_collectors,
};
