/* test-text-allocations.c: a scrape allocates nothing when nothing has changed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stddef.h>
#include <stdlib.h>

#include "expose/jm-text-encoder.h"
#include "jm-snapshot-builder.h"

#if defined(__SANITIZE_ADDRESS__)
# define HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
# if __has_feature(address_sanitizer)
#  define HAS_ADDRESS_SANITIZER 1
# endif
#endif

#define N_METRICS_OF_A_JOB (JM_METRIC_NODE_CPU)
#define N_CPUS 16

#ifndef HAS_ADDRESS_SANITIZER
static guint n_allocations;

/* The names under which glibc keeps its own, for programs that put theirs in front. */
void *__libc_malloc (size_t size);
void *__libc_calloc (size_t n, size_t size);
void *__libc_realloc (void *memory, size_t size);

void *
malloc (size_t size)
{
  n_allocations++;

  return __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  n_allocations++;

  return __libc_calloc (n, size);
}

void *
realloc (void *memory, size_t size)
{
  n_allocations++;

  return __libc_realloc (memory, size);
}

static void
add_figures (JmSnapshotBuilder *builder, guint64 value)
{
  for (JmMetric i = 0; i < N_METRICS_OF_A_JOB; i++)
    if (jm_metric_get_info (i)->n_labels == 0)
      jm_snapshot_builder_add (builder, i, value * 1000003);
  for (guint i = 0; i < N_CPUS; i++)
    {
      g_autofree char *cpu = g_strdup_printf ("%u", i);

      jm_snapshot_builder_add_labelled (builder, JM_METRIC_PERCPU, cpu, value + i);
    }
}

static JmSnapshot *
make_snapshot (GPtrArray *jobs, guint64 value)
{
  g_autoptr (JmSnapshotBuilder) builder = jm_snapshot_builder_new (JM_ALL_COLLECTORS);

  for (guint i = 0; i < jobs->len; i++)
    {
      jm_snapshot_builder_add_job (builder, g_ptr_array_index (jobs, i));
      add_figures (builder, value + i);
      jm_snapshot_builder_add_step (builder, "batch");
      add_figures (builder, value + i);
    }

  return jm_snapshot_builder_end (builder);
}

static GPtrArray *
make_jobs (guint n)
{
  GPtrArray *jobs = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_unref);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);

      g_ptr_array_add (jobs, jm_test_job_new (id, "user", "alice", NULL));
    }

  return jobs;
}

static guint
count_allocations (JmTextEncoder *encoder, JmSnapshot *snapshot, GString *out)
{
  guint before = n_allocations;

  g_string_truncate (out, 0);
  jm_text_encoder_encode (encoder, snapshot, JM_TEXT_FORMAT_OPENMETRICS, G_MAXUINT32,
                          out);

  return n_allocations - before;
}

static void
assert_second_scrape_allocates_nothing (guint n_jobs)
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (GPtrArray) jobs = make_jobs (n_jobs);
  g_autoptr (JmSnapshot) first = make_snapshot (jobs, 999999999);
  g_autoptr (JmSnapshot) second = make_snapshot (jobs, 123456789);
  g_autoptr (GString) out = g_string_new (NULL);

  g_assert_cmpuint (count_allocations (encoder, first, out), >, n_jobs);
  g_assert_cmpuint (count_allocations (encoder, second, out), ==, 0);
}
#endif

static void
test_ten_jobs_or_twenty_the_second_scrape_allocates_nothing (void)
{
#ifdef HAS_ADDRESS_SANITIZER
  g_test_skip ("a sanitizer takes memory of its own");
#else
  assert_second_scrape_allocates_nothing (10);
  assert_second_scrape_allocates_nothing (20);
#endif
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/text-allocations/"
                   "ten-jobs-or-twenty-the-second-scrape-allocates-nothing",
                   test_ten_jobs_or_twenty_the_second_scrape_allocates_nothing);

  return g_test_run ();
}
