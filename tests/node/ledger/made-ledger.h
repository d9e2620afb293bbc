/* made-ledger.h: ledgers and records that a test makes up
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <sqlite3.h>

#include "node/ledger/jm-ledger-private.h"

G_BEGIN_DECLS

/* Longer than any machine takes: only a test that fails waits so long. */
#define LONG_US (60 * G_USEC_PER_SEC)

#define SECOND_US G_GINT64_CONSTANT (1000000)
#define BEGIN_US G_GINT64_CONSTANT (1700000000000000)

/* A directory of the test's own. */
typedef struct
{
  char *directory;
  char *path; /* of the ledger in it */
} Place;

void place_set_up (Place *place, gconstpointer data);
void place_tear_down (Place *place, gconstpointer data);

/* Whoever has it lets nobody write to the ledger, until it is closed. */
sqlite3 *place_stop_disk (const Place *place);

/* Removes all files of a directory, and it. */
void made_directory_remove (const char *directory);

/* Opened by such a plan, of which the path is filled in. */
JmLedger *made_ledger_open_as (Place *place, JmLedgerPlan plan);
JmLedger *made_ledger_open (Place *place);

/* One run of a job; what is not said is not known. */
typedef struct
{
  const char *key;
  const char *id;
  const char *user;
  const char *uid;
  const char *account;
  const char *scheduler;
  const char *cluster;
  const char *array_job;
  const char *array_task;
  const char *name; /* as long as the test wants the record to be */
  JmRunState state;
  gint64 begin_us;
  gint64 end_us;
  guint64 cpu_ns;
  guint64 measured_uj;
  guint64 estimated_uj;
} MadeRun;

JmJobRecord *made_record_new (const MadeRun *run);

/* Of which the id and the key are such a number, and the user is ada; it lasts a
 * second, and begins so many seconds after the time. */
JmJobRecord *made_record_new_since (gint64 since_us, guint number);

/* The same since BEGIN_US. */
JmJobRecord *made_record_new_numbered (guint number);

/* Each returns the ticket. */
guint64
made_ledger_set (JmLedger *ledger, const char *name, const char *key, const char *text);
guint64 made_ledger_append (JmLedger *ledger, JmJobRecord *record);
guint64 made_ledger_append_run (JmLedger *ledger, const MadeRun *run);

/* Ids of the jobs, one behind the other with a blank between. */
char *made_ledger_list_ids (JmLedger *ledger, JmLedgerFilter *filter);

/* Waits until it is stored. */
void made_ledger_finish (JmLedger *ledger, guint64 ticket);

/* Lets warnings be counted, and not end the test; as long as the process lasts. */
void made_warnings_count (void);
guint made_warnings_get (void);

G_END_DECLS
