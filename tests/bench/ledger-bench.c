/* ledger-bench.c: what it costs to keep what jobs have, against a file of the same
 * bytes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <gio/gio.h>
#include <string.h>

#include "bench-meter.h"
#include "made-ledger.h"

#define N_ROUNDS 15
#define N_REPEATS 20
/* What a job's account has. */
#define VALUE_BYTES 400
/* Of a job of some steps and a profile, in JSON. */
#define NAME_BYTES 6000

typedef struct
{
  JmLedger *ledger;
  const char *path; /* of the file that stands for comparison */
  guint n_jobs;
  guint round;
  GString *bytes;
} Bench;

/* Each of them other than the last time, as a job's counters are. */
static GBytes *
make_value (guint job, guint round)
{
  guint8 bytes[VALUE_BYTES];

  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = (guint8) (i * 7 + job * 13 + round * 31);

  return g_bytes_new (bytes, sizeof bytes);
}

static void
checkpoint (gpointer user_data)
{
  Bench *self = user_data;
  JmLedgerBatch *batch = jm_ledger_batch_new ();

  self->round++;
  for (guint i = 0; i < self->n_jobs; i++)
    {
      g_autofree char *key = g_strdup_printf ("0f6a2d1e-7c70-4d2a-9d8e/%u", i);
      g_autoptr (GBytes) value = make_value (i, self->round);

      jm_ledger_batch_set (batch, "energy", key, value);
    }
  made_ledger_finish (self->ledger, jm_ledger_submit (self->ledger, batch));
}

/* A name that deflates about as a record does. */
static char *
make_name (guint number)
{
  GString *name = g_string_new (NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (number);

  while (name->len < NAME_BYTES)
    g_string_append_printf (name, "\"cpu_seconds_total\":%u,", g_rand_int (rand));

  return g_string_free (name, FALSE);
}

static void
append (gpointer user_data)
{
  Bench *self = user_data;
  g_autofree char *key = g_strdup_printf ("0f6a2d1e-7c70-4d2a-9d8e/%u", self->round);
  g_autofree char *id = g_strdup_printf ("%u", self->round);
  g_autofree char *name = make_name (self->round);
  MadeRun run = { .key = key,
                  .id = id,
                  .user = "ada",
                  .uid = "1000",
                  .account = "physics",
                  .scheduler = "slurm",
                  .name = name,
                  .state = JM_RUN_STATE_ENDED,
                  .begin_us = BEGIN_US,
                  .end_us = BEGIN_US + self->round * SECOND_US };

  self->round++;
  made_ledger_finish (self->ledger, made_ledger_append_run (self->ledger, &run));
}

/* What would be done without a ledger: it is not even synchronized. */
static void
rewrite (gpointer user_data)
{
  Bench *self = user_data;

  self->round++;
  g_string_truncate (self->bytes, 0);
  for (guint i = 0; i < self->n_jobs; i++)
    {
      g_autoptr (GBytes) value = make_value (i, self->round);

      g_string_append_len (self->bytes, g_bytes_get_data (value, NULL), VALUE_BYTES);
    }
  g_assert_true (g_file_set_contents_full (self->path, self->bytes->str,
                                           (gssize) self->bytes->len,
                                           G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL));
}

static BenchCost
measure (Bench *self, const char *what, BenchFunc func)
{
  g_autofree char *title = self->n_jobs > 0
                             ? g_strdup_printf ("%s, %u jobs", what, self->n_jobs)
                             : g_strdup (what);
  BenchCost costs[N_ROUNDS];
  BenchCost median;
  BenchMeter meter;

  func (self);
  bench_meter_open (&meter);
  for (guint i = 0; i < N_ROUNDS; i++)
    costs[i] = bench_meter_run (&meter, func, self, N_REPEATS);
  bench_meter_close (&meter);

  median = bench_cost_get_median (costs, N_ROUNDS);
  bench_print_cost (title, &median, NULL, NULL);

  return median;
}

static void
print_ratio (const BenchCost *cost, const BenchCost *reference)
{
  g_print ("  %.2f of the file's CPU time\n",
           cost->figures[BENCH_CPU_US] / reference->figures[BENCH_CPU_US]);
}

static void
bench_jobs (Bench *bench, guint n_jobs)
{
  BenchCost reference, cost;

  bench->n_jobs = n_jobs;
  reference = measure (bench, "file rewritten", rewrite);
  cost = measure (bench, "checkpoint", checkpoint);
  print_ratio (&cost, &reference);
}

static guint64
get_size (JmLedger *ledger)
{
  g_auto (JmLedgerStatus) status = { 0 };

  jm_ledger_get_status (ledger, &status);

  return status.size_bytes;
}

static void
bench_append (Bench *bench)
{
  BenchCost reference, cost;
  guint64 before = get_size (bench->ledger);

  bench->n_jobs = NAME_BYTES / VALUE_BYTES;
  reference = measure (bench, "file rewritten", rewrite);
  bench->n_jobs = 0;
  bench->round = 0;
  cost = measure (bench, "record", append);
  print_ratio (&cost, &reference);
  g_print ("  %u records of %u bytes of text: the files grew by %.0f bytes for each\n",
           bench->round, NAME_BYTES,
           ((double) get_size (bench->ledger) - (double) before) / bench->round);
}

int
main (int argc, char *argv[])
{
  Place place;
  g_autofree char *path = NULL;
  Bench bench = { .bytes = g_string_new (NULL) };

  place_set_up (&place, NULL);
  path = g_build_filename (place.directory, "file", NULL);
  bench.path = path;
  bench.ledger = made_ledger_open (&place);

  bench_print_header ();
  bench_jobs (&bench, 64);
  bench_jobs (&bench, 512);
  bench_append (&bench);

  jm_ledger_close (bench.ledger);
  g_object_unref (bench.ledger);
  g_string_free (bench.bytes, TRUE);
  place_tear_down (&place, NULL);

  return 0;
}
