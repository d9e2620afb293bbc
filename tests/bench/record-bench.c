/* record-bench.c: what it costs to write a record of a job down, and to read it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <gio/gio.h>
#include <string.h>

#include "../archive/made-record.h"
#include "bench-meter.h"
#include "core/jm-record-json-private.h"

#define N_ROUNDS 15
#define N_REPEATS 20
/* As many points as there may be: each of 32 s. */
#define FULL_LIFE_US ((JM_PROFILE_MAX_POINTS - 1) * G_GINT64_CONSTANT (32000000))
#define DEFLATE_LEVEL 6

typedef struct
{
  JmJobRecord *record;
  char *text;
  JsonNode *tree;
  gsize deflated;
} Bench;

/* --- what it is compared with: json-glib's own --- */

static void
parse_by_json_glib (gpointer user_data)
{
  Bench *self = user_data;
  g_autoptr (JsonNode) node = json_from_string (self->text, NULL);

  g_assert_nonnull (node);
}

static void
print_by_json_glib (gpointer user_data)
{
  Bench *self = user_data;
  g_autofree char *text = json_to_string (self->tree, FALSE);

  g_assert_nonnull (text);
}

/* --- what is measured --- */

static void
format (gpointer user_data)
{
  Bench *self = user_data;

  g_free (self->text);
  self->text = jm_record_json_format (self->record);
}

static void
deflate (gpointer user_data)
{
  Bench *self = user_data;
  g_autoptr (GZlibCompressor) deflater =
    g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_RAW, DEFLATE_LEVEL);
  gsize length = strlen (self->text);
  g_autofree char *out = g_malloc (length + 1024);
  gsize taken;

  g_assert_cmpint (g_converter_convert (G_CONVERTER (deflater), self->text, length, out,
                                        length + 1024, G_CONVERTER_INPUT_AT_END, &taken,
                                        &self->deflated, NULL),
                   ==, G_CONVERTER_FINISHED);
}

static void
read_back (gpointer user_data)
{
  Bench *self = user_data;
  g_autoptr (JmJobRecord) record =
    jm_record_json_parse (self->text, strlen (self->text), "it", NULL);

  g_assert_nonnull (record);
}

static BenchCost
measure (BenchMeter *meter, BenchFunc func, Bench *bench)
{
  BenchCost costs[N_ROUNDS];

  func (bench);
  for (guint i = 0; i < N_ROUNDS; i++)
    costs[i] = bench_meter_run (meter, func, bench, N_REPEATS);

  return bench_cost_get_median (costs, N_ROUNDS);
}

static void
bench_record (const char *title, JmJobProfile *profile)
{
  Bench bench = { .record = made_record (JM_RUN_STATE_ENDED, profile) };
  BenchCost parsed, printed, formatted, deflated, read;
  BenchMeter meter;

  bench_meter_open (&meter);
  formatted = measure (&meter, format, &bench);
  bench.tree = json_from_string (bench.text, NULL);
  parsed = measure (&meter, parse_by_json_glib, &bench);
  printed = measure (&meter, print_by_json_glib, &bench);
  deflated = measure (&meter, deflate, &bench);
  read = measure (&meter, read_back, &bench);
  bench_meter_close (&meter);

  g_print ("%s: %" G_GSIZE_FORMAT " bytes, deflated %" G_GSIZE_FORMAT "\n", title,
           strlen (bench.text), bench.deflated);
  bench_print_cost ("  (a) json-glib parses the text", &parsed, &parsed, &printed);
  bench_print_cost ("  (b) json-glib prints the tree", &printed, &parsed, &printed);
  bench_print_cost ("  format", &formatted, &parsed, &printed);
  bench_print_cost ("  deflate", &deflated, &parsed, &printed);
  bench_print_cost ("  read back", &read, &parsed, &printed);

  json_node_unref (bench.tree);
  g_free (bench.text);
  jm_job_record_unref (bench.record);
}

int
main (int argc, char **argv)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (JmJobProfile) brief = made_profile (rand, 500000);
  g_autoptr (JmJobProfile) full = made_profile (rand, FULL_LIFE_US);

  bench_print_header ();
  bench_record ("a job of half a second", brief);
  bench_record ("a full profile", full);

  return 0;
}
