/* test-run-steps.c: the steps of a run, each once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-run-part-private.h"

#define GIB (G_GINT64_CONSTANT (1) << 30)

static JmRunPart *
make_step (GPtrArray *parts, const char *node, const char *name, gint64 peak)
{
  JmRunPart *step = jm_run_part_new (JM_RUN_PART_KIND_STEP);

  jm_run_part_set_text (step, JM_QUANTITY_NODE, node);
  jm_run_part_set_text (step, JM_QUANTITY_NAME, name);
  jm_run_part_set_number (step, JM_QUANTITY_MEMORY_PEAK, peak);
  g_ptr_array_add (parts, step);

  return step;
}

static GPtrArray *
make_parts (gint64 n_nodes)
{
  GPtrArray *parts =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);
  JmRunPart *told = make_step (parts, NULL, "0", GIB);

  jm_run_part_set_text (told, JM_QUANTITY_STATE, "COMPLETED");
  jm_run_part_set_number (told, JM_QUANTITY_NODES, n_nodes);
  jm_run_part_set_number (told, JM_QUANTITY_CPUS, 8);
  for (guint i = 0; i < 2; i++)
    {
      const char *node = i == 0 ? "n1" : "n2";
      JmRunPart *step = make_step (parts, node, "0", (2 + (gint64) i) * GIB);

      jm_run_part_set_number (step, JM_QUANTITY_CPUS, 64);
      jm_run_part_set_number (step, JM_QUANTITY_CPU_TOTAL, 10);
    }
  make_step (parts, "n1", "extern", GIB);

  return parts;
}

static void
assert_number (JmRunPart *step, JmQuantityId field, gint64 expected)
{
  g_assert_cmpint (jm_run_part_peek (step, field), ==, expected);
}

static void
test_each_stands_once_with_what_its_nodes_know (void)
{
  g_autoptr (GPtrArray) parts = make_parts (2);
  g_autoptr (GPtrArray) steps = jm_run_part_merge_steps (parts);

  g_assert_cmpuint (steps->len, ==, 2);
  g_assert_cmpstr (jm_run_part_peek_text (steps->pdata[0], JM_QUANTITY_STATE), ==,
                   "COMPLETED");
  assert_number (steps->pdata[0], JM_QUANTITY_CPUS, 8);
  assert_number (steps->pdata[0], JM_QUANTITY_CPU_TOTAL, 20);
  assert_number (steps->pdata[0], JM_QUANTITY_MEMORY_PEAK, 3 * GIB);
  g_assert_cmpstr (jm_run_part_peek_text (steps->pdata[1], JM_QUANTITY_NAME), ==,
                   "extern");
  assert_number (steps->pdata[1], JM_QUANTITY_MEMORY_PEAK, GIB);
}

static void
test_one_of_which_a_node_has_not_reported_is_as_the_scheduler_has_it (void)
{
  g_autoptr (GPtrArray) parts = make_parts (3);
  g_autoptr (GPtrArray) steps = jm_run_part_merge_steps (parts);

  assert_number (steps->pdata[0], JM_QUANTITY_CPU_TOTAL, JM_RUN_PART_UNKNOWN);
  assert_number (steps->pdata[0], JM_QUANTITY_MEMORY_PEAK, GIB);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/run-steps/once", test_each_stands_once_with_what_its_nodes_know);
  g_test_add_func (
    "/run-steps/partly",
    test_one_of_which_a_node_has_not_reported_is_as_the_scheduler_has_it);

  return g_test_run ();
}
