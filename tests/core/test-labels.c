/* test-labels.c: the values that distinguish the figures of one metric
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-labels.h"

#ifdef COUNTS_ALLOCATIONS
# include "allocations.h"
#endif

#define N_THREADS 4
#define N_ROUNDS 20000

static void
test_equal_values_are_the_same_labels (void)
{
  const char *values[] = { "rapl-perf", "package-0", NULL };
  g_autofree char *source = g_strdup ("rapl-perf");
  g_autoptr (JmLabels) labels = jm_labels_new (values);
  g_autoptr (JmLabels) again = jm_labels_of (source, "package-0", NULL);
  g_autoptr (JmLabels) other = jm_labels_of ("rapl-perf", "package-1", NULL);

  g_assert_true (labels == again);
  g_assert_false (labels == other);
}

static void
test_values_are_never_joined (void)
{
  g_autoptr (JmLabels) two = jm_labels_of ("ab", "c", NULL);
  g_autoptr (JmLabels) others = jm_labels_of ("a", "bc", NULL);
  g_autoptr (JmLabels) slash = jm_labels_of ("a/bc", NULL);
  g_autoptr (JmLabels) empty = jm_labels_of ("", "abc", NULL);

  g_assert_true (two != others);
  g_assert_true (others != slash);
  g_assert_true (empty != two);
  g_assert_cmpuint (jm_labels_get_size (slash), ==, 1);
  g_assert_cmpstr (jm_labels_get_value (slash, 0), ==, "a/bc");
  g_assert_cmpstr (jm_labels_get_value (empty, 0), ==, "");
}

static void
test_values_keep_their_order_and_their_length (void)
{
  g_autofree char *name = g_strnfill (5000, 'x');
  g_autoptr (JmLabels) labels = jm_labels_of ("first", name, "", "last", NULL);
  const char *const expected[] = { "first", name, "", "last", NULL };

  g_assert_cmpuint (jm_labels_get_size (labels), ==, 4);
  g_assert_cmpstrv (jm_labels_get_values (labels), expected);
}

static void
test_what_is_no_text_is_made_so (void)
{
  g_autoptr (JmLabels) labels = jm_labels_of ("a\xff", "/dev/sda", NULL);
  g_autoptr (JmLabels) again = jm_labels_of ("a\xff", "/dev/sda", NULL);

  g_assert_cmpstr (jm_labels_get_value (labels, 0), ==, "a\xef\xbf\xbd");
  g_assert_cmpstr (jm_labels_get_value (labels, 1), ==, "/dev/sda");
  g_assert_true (labels == again);
}

static void
test_who_holds_labels_need_not_care_who_made_them (void)
{
  JmLabels *labels = jm_labels_of ("8:0", NULL);
  g_autoptr (JmLabels) held = jm_labels_ref (labels);

  jm_labels_unref (labels);
  g_assert_cmpstr (jm_labels_get_value (held, 0), ==, "8:0");
}

static void
test_making_them_again_allocates_nothing (void)
{
#ifdef COUNTS_ALLOCATIONS
  g_autoptr (JmLabels) labels = jm_labels_of ("node", "measured", NULL);
  guint64 before = allocations_count_of_thread ();

  for (guint i = 0; i < 100; i++)
    jm_labels_unref (jm_labels_of ("node", "measured", NULL));

  g_assert_cmpuint (allocations_count_of_thread (), ==, before);
#else
  g_test_skip ("a sanitizer takes memory of its own");
#endif
}

static gpointer
come_and_go (gpointer data)
{
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      g_autofree char *value = g_strdup_printf ("%u", i % 3);
      g_autoptr (JmLabels) labels = jm_labels_of (value, "shared", NULL);
      g_autoptr (JmLabels) again = jm_labels_of (value, "shared", NULL);

      g_assert_true (labels == again);
      g_assert_cmpstr (jm_labels_get_value (labels, 0), ==, value);
    }

  return NULL;
}

static void
test_threads_share_them (void)
{
  GThread *threads[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("labels", come_and_go, NULL);
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
}

#define ADD(path, function) g_test_add_func ("/labels/" path, function)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("equal-values-are-the-same-labels", test_equal_values_are_the_same_labels);
  ADD ("values-are-never-joined", test_values_are_never_joined);
  ADD ("values-keep-their-order-and-their-length",
       test_values_keep_their_order_and_their_length);
  ADD ("what-is-no-text-is-made-so", test_what_is_no_text_is_made_so);
  ADD ("who-holds-labels-need-not-care-who-made-them",
       test_who_holds_labels_need_not_care_who_made_them);
  ADD ("making-them-again-allocates-nothing", test_making_them_again_allocates_nothing);
  ADD ("threads-share-them", test_threads_share_them);

  return g_test_run ();
}
