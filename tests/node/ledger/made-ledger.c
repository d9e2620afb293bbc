/* made-ledger.c: ledgers and records that a test makes up
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "made-ledger.h"

#include <glib/gstdio.h>

#include "../../core/made-job.h"
#include "core/jm-job-record-private.h"
#include "core/jm-snapshot-private.h"

/* Files of which each change waits for no disk, where there are such. */
#define MEMORY "/dev/shm"

void
place_set_up (Place *place, gconstpointer data)
{
  char memory[] = MEMORY "/jm-ledger-XXXXXX";

  place->directory = g_strdup (g_mkdtemp (memory));
  if (place->directory == NULL)
    place->directory = g_dir_make_tmp ("jm-ledger-XXXXXX", NULL);
  place->path = g_build_filename (place->directory, "ledger.db", NULL);
}

void
made_directory_remove (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      g_unlink (path);
    }
  g_rmdir (directory);
}

sqlite3 *
place_stop_disk (const Place *place)
{
  sqlite3 *disk = NULL;

  g_assert_cmpint (sqlite3_open (place->path, &disk), ==, SQLITE_OK);
  sqlite3_busy_timeout (disk, LONG_US / 1000);
  g_assert_cmpint (sqlite3_exec (disk, "BEGIN IMMEDIATE", NULL, NULL, NULL), ==,
                   SQLITE_OK);

  return disk;
}

void
place_tear_down (Place *place, gconstpointer data)
{
  made_directory_remove (place->directory);
  g_free (place->path);
  g_free (place->directory);
}

JmLedger *
made_ledger_open_as (Place *place, JmLedgerPlan plan)
{
  g_autoptr (GError) error = NULL;
  JmLedger *ledger;

  plan.path = place->path;
  ledger = jm_ledger_open_for_writing (&plan, &error);
  g_assert_no_error (error);

  return ledger;
}

JmLedger *
made_ledger_open (Place *place)
{
  return made_ledger_open_as (place, (JmLedgerPlan){ 0 });
}

static JmJob *
make_job (const MadeRun *run)
{
  const char *fields[JM_N_JOB_FIELDS] = {
    [JM_JOB_FIELD_ID] = run->id,
    [JM_JOB_FIELD_USER] = run->user,
    [JM_JOB_FIELD_UID] = run->uid,
    [JM_JOB_FIELD_ACCOUNT] = run->account,
    [JM_JOB_FIELD_SCHEDULER] = run->scheduler,
    [JM_JOB_FIELD_CLUSTER] = run->cluster,
    [JM_JOB_FIELD_ARRAY_JOB_ID] = run->array_job,
    [JM_JOB_FIELD_ARRAY_TASK_ID] = run->array_task,
    [JM_JOB_FIELD_NAME] = run->name,
  };
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();

  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    if (fields[i] != NULL)
      jm_job_draft_set (draft, i,
                        i == JM_JOB_FIELD_UID ? JM_ORIGIN_KERNEL : JM_ORIGIN_HOOK,
                        fields[i], -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, run->id, -1);
  if (run->key != NULL)
    jm_job_draft_set_run_key (draft, run->key);

  return jm_job_draft_to_job (draft);
}

static void
add_energy (JmReadings *readings, const char *quality, guint64 energy_uj)
{
  g_autoptr (JmLabels) labels =
    jm_labels_new ((const char *const[]){ "package", quality, NULL });

  if (energy_uj != 0)
    jm_readings_add_labelled (readings, JM_METRIC_ENERGY, labels, energy_uj);
}

static JmSnapshot *
make_snapshot (JmJob *job, const MadeRun *run)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  JmSubject subjects[] = { { JM_SUBJECT_KIND_NODE },
                           { JM_SUBJECT_KIND_JOB, JM_NODE_SUBJECT, job, NULL,
                             run->end_us } };

  jm_readings_reset (readings, jm_collector_set_get_all ());
  jm_readings_set_subject (readings, JM_RECORD_SUBJECT);
  if (run->cpu_ns != 0)
    jm_readings_add (readings, JM_METRIC_CPU_TOTAL, run->cpu_ns);
  add_energy (readings, JM_QUALITY_MEASURED, run->measured_uj);
  add_energy (readings, JM_QUALITY_ESTIMATED, run->estimated_uj);

  return jm_snapshot_new (run->end_us, 0, jm_collector_set_get_all (), subjects,
                          G_N_ELEMENTS (subjects), readings);
}

JmJobRecord *
made_record_new (const MadeRun *run)
{
  g_autoptr (JmJob) job = make_job (run);
  g_autoptr (JmSnapshot) snapshot = make_snapshot (job, run);
  JmJobRecordContent content = { .job = job,
                                 .state = run->state,
                                 .begin_us = run->begin_us,
                                 .end_us = run->end_us,
                                 .seen_us = run->end_us,
                                 .snapshot = snapshot };

  return jm_job_record_new (&content);
}

JmJobRecord *
made_record_new_since (gint64 since_us, guint number)
{
  g_autofree char *id = g_strdup_printf ("%u", number);
  g_autofree char *key = g_strdup_printf ("boot/%u", number);
  MadeRun run = { .key = key,
                  .id = id,
                  .user = "ada",
                  .state = JM_RUN_STATE_ENDED,
                  .begin_us = since_us + number * SECOND_US,
                  .end_us = since_us + (number + 1) * SECOND_US,
                  .cpu_ns = 1000000000 };

  return made_record_new (&run);
}

JmJobRecord *
made_record_new_numbered (guint number)
{
  return made_record_new_since (BEGIN_US, number);
}

guint64
made_ledger_set (JmLedger *ledger, const char *name, const char *key, const char *text)
{
  JmLedgerBatch *batch = jm_ledger_batch_new ();
  g_autoptr (GBytes) value = text != NULL ? g_bytes_new (text, strlen (text)) : NULL;

  jm_ledger_batch_set (batch, name, key, value);

  return jm_ledger_submit (ledger, batch);
}

guint64
made_ledger_append (JmLedger *ledger, JmJobRecord *record)
{
  JmLedgerBatch *batch = jm_ledger_batch_new ();

  jm_ledger_batch_append (batch, record);

  return jm_ledger_submit (ledger, batch);
}

guint64
made_ledger_append_run (JmLedger *ledger, const MadeRun *run)
{
  g_autoptr (JmJobRecord) record = made_record_new (run);

  return made_ledger_append (ledger, record);
}

char *
made_ledger_list_ids (JmLedger *ledger, JmLedgerFilter *filter)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) records = jm_ledger_list (ledger, filter, NULL, &error);
  GString *ids = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < records->len; i++)
    g_string_append_printf (ids, "%s%s", i > 0 ? " " : "",
                            jm_job_get_id (jm_job_record_get_job (records->pdata[i])));

  return g_string_free (ids, FALSE);
}

void
made_ledger_finish (JmLedger *ledger, guint64 ticket)
{
  g_assert_true (jm_ledger_await (ledger, ticket, LONG_US));
}

static guint n_warnings;

static void
count (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  if ((level & G_LOG_LEVEL_WARNING) != 0)
    g_atomic_int_inc (&n_warnings);
  g_test_message ("%s", message);
}

void
made_warnings_count (void)
{
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  g_log_set_default_handler (count, NULL);
}

guint
made_warnings_get (void)
{
  return g_atomic_int_get (&n_warnings);
}
