/* test-energy-split.c: jobs of two sockets, and who had which part of what they took
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/energy/jm-energy-split-private.h"

#include "core/jm-readings-private.h"
#include "two-sockets.h"

#define NS_PER_TICK 10000000
#define ROUND_US G_USEC_PER_SEC
/* Too short to learn from, so that what is split goes by counts alone. */
#define SHORT_ROUND_US (G_USEC_PER_SEC / 10)

typedef struct
{
  TwoSockets *node;
  JmEnergySplit *split;
  JmReadings *readings;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->node = two_sockets_new ();
  f->split = jm_energy_split_new (f->node->machine, FALSE);
  f->readings = jm_readings_new ();
  jm_readings_reset (f->readings, jm_collector_set_get_all ());
  jm_readings_begin (f->readings, JM_COLLECTOR_POWER);
  jm_energy_split_begin_round (f->split, 0, f->readings);
  jm_energy_split_weigh (f->split);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  jm_readings_unref (f->readings);
  jm_energy_split_free (f->split);
  two_sockets_free (f->node);
}

static void
add_counted_job (Fixture *f,
                 guint64 id,
                 const char *cpus,
                 guint ticks,
                 const JmWork *work)
{
  g_autoptr (GString) list = g_string_new (cpus);
  const JmCpuUser user = { .cpu_ns = (guint64) ticks * NS_PER_TICK, .seconds = 1 };

  jm_energy_split_add (f->split, id, &user, work, list);
}

static void
add_job (Fixture *f, guint64 id, const char *cpus, guint ticks)
{
  add_counted_job (f, id, cpus, ticks, &jm_work_unknown);
}

static GArray *
make_items (guint n, const guint *sockets)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (JmEnergyItem));

  for (guint i = 0; i < n; i++)
    {
      JmEnergyItem item = { .kind = JM_ENERGY_PACKAGE,
                            .domain = JM_POWER_DOMAIN_PACKAGE,
                            .number = sockets[i],
                            .n_dies = 1,
                            .covered = 1,
                            .energy_uj = 1000000 };

      g_array_append_val (items, item);
    }

  return items;
}

static double
get_covered (Fixture *f, guint job, const GArray *items)
{
  return jm_energy_split_get_covered (f->split, job, JM_ENERGY_PACKAGE, items);
}

static void
test_gives_each_socket_to_its_jobs (Fixture *f, gconstpointer data)
{
  const guint both[] = { 0, 1 };
  g_autoptr (GArray) items = make_items (2, both);
  guint64 idle_uj;
  const guint64 *parts;

  two_sockets_run (f->node, 90, 90, 40, 0);
  jm_energy_split_begin_round (f->split, ROUND_US, f->readings);
  add_job (f, 1, "0-1", 180);
  add_job (f, 2, "2-3", 40);
  jm_energy_split_weigh (f->split);

  parts =
    jm_energy_split_take (f->split, &g_array_index (items, JmEnergyItem, 0), &idle_uj);
  g_assert_cmpuint (parts[1], >, 0);
  g_assert_cmpuint (parts[2], ==, 0);
  g_assert_cmpuint (parts[0] + parts[1] + parts[2] + idle_uj, ==, 1000000);

  parts =
    jm_energy_split_take (f->split, &g_array_index (items, JmEnergyItem, 1), &idle_uj);
  g_assert_cmpuint (parts[1], ==, 0);
  g_assert_cmpuint (parts[2], >, 0);
}

static void
test_knows_nothing_of_a_job_on_an_unread_socket (Fixture *f, gconstpointer data)
{
  const guint first[] = { 0 };
  g_autoptr (GArray) items = make_items (1, first);

  two_sockets_run (f->node, 50, 50, 50, 50);
  jm_energy_split_begin_round (f->split, ROUND_US, f->readings);
  add_job (f, 1, "0-1", 100);
  add_job (f, 2, "2-3", 100);
  add_job (f, 3, "3", 0);
  jm_energy_split_weigh (f->split);

  g_assert_cmpfloat (get_covered (f, 0, items), ==, 1);
  g_assert_cmpfloat (get_covered (f, 1, items), ==, 0);
  g_assert_cmpfloat (get_covered (f, 2, items), ==, 0);
}

static void
test_knows_a_part_of_a_job_on_both_sockets (Fixture *f, gconstpointer data)
{
  const guint second[] = { 1 };
  g_autoptr (GArray) items = make_items (1, second);

  two_sockets_run (f->node, 60, 0, 20, 0);
  jm_energy_split_begin_round (f->split, ROUND_US, f->readings);
  add_job (f, 1, "0-3", 80);
  jm_energy_split_weigh (f->split);

  g_assert_cmpfloat_with_epsilon (get_covered (f, 0, items), 0.25, 1e-9);
}

static void
test_counts_a_die_that_is_missing (Fixture *f, gconstpointer data)
{
  const guint first[] = { 0 };
  g_autoptr (GArray) items = make_items (1, first);

  g_array_index (items, JmEnergyItem, 0).covered = 0.5;
  two_sockets_run (f->node, 50, 0, 0, 0);
  jm_energy_split_begin_round (f->split, ROUND_US, f->readings);
  add_job (f, 1, "0-1", 50);
  jm_energy_split_weigh (f->split);

  g_assert_cmpfloat_with_epsilon (get_covered (f, 0, items), 0.5, 1e-9);
}

/* Memory of a machine without meters, by its size: nobody drives it. */
static void
test_gives_nobody_what_is_constant (Fixture *f, gconstpointer data)
{
  const guint first[] = { 0 };
  g_autoptr (GArray) items = make_items (1, first);
  JmEnergyItem *item = &g_array_index (items, JmEnergyItem, 0);
  guint64 idle_uj;
  const guint64 *parts;

  item->kind = JM_ENERGY_DRAM + JM_N_ENERGY_PARTS;
  item->domain = JM_POWER_DOMAIN_DRAM;
  item->is_constant = TRUE;
  two_sockets_run (f->node, 90, 90, 0, 0);
  jm_energy_split_begin_round (f->split, ROUND_US, f->readings);
  add_job (f, 1, "0-1", 180);
  jm_energy_split_weigh (f->split);

  parts = jm_energy_split_take (f->split, item, &idle_uj);
  g_assert_cmpuint (parts[0] + parts[1], ==, 0);
  g_assert_cmpuint (idle_uj, ==, 1000000);
}

static void
test_takes_a_figure_of_all_sockets_for_whole (Fixture *f, gconstpointer data)
{
  const guint all[] = { JM_POWER_DOMAIN_ALL };
  g_autoptr (GArray) items = make_items (1, all);

  two_sockets_run (f->node, 50, 0, 50, 0);
  jm_energy_split_begin_round (f->split, ROUND_US, f->readings);
  add_job (f, 1, "0-3", 100);
  jm_energy_split_weigh (f->split);

  g_assert_cmpfloat (get_covered (f, 0, items), ==, 1);
}

/* --- by what was counted --- */

static JmWork
make_work (double cache_misses)
{
  return (JmWork){ { 1e9, 1e9, cache_misses } };
}

static const guint64 *
take_memory (Fixture *f, guint socket)
{
  const JmEnergyItem item = { .kind = JM_ENERGY_DRAM,
                              .domain = JM_POWER_DOMAIN_DRAM,
                              .number = socket,
                              .n_dies = 1,
                              .covered = 1,
                              .energy_uj = 1000000 };
  guint64 idle_uj;

  return jm_energy_split_take (f->split, &item, &idle_uj);
}

/* Half of what the first job missed was on either socket, as its CPU time was; what the
 * jobs did not miss, of all, the system did. */
static void
test_puts_what_was_counted_where_it_ran (Fixture *f, gconstpointer data)
{
  const JmWork of_1 = make_work (8e6);
  const JmWork of_2 = make_work (1e6);
  const JmWork of_all = make_work (11e6);
  const guint64 *parts;

  two_sockets_run (f->node, 50, 50, 50, 50);
  jm_energy_split_begin_round (f->split, SHORT_ROUND_US, f->readings);
  add_counted_job (f, 1, "0,2", 100, &of_1);
  add_counted_job (f, 2, "1", 50, &of_2);
  jm_energy_split_count_node (f->split, &of_all);
  jm_energy_split_weigh (f->split);

  parts = take_memory (f, 0);
  g_assert_cmpuint (parts[2], >, 0);
  g_assert_cmpfloat_with_epsilon ((double) parts[1] / (double) parts[2], 4, 0.01);
  g_assert_cmpuint (parts[0], ==, 0);

  parts = take_memory (f, 1);
  g_assert_cmpuint (parts[2], ==, 0);
  g_assert_cmpfloat_with_epsilon ((double) parts[1] / (double) parts[0], 2, 0.01);
}

static void
test_takes_the_system_for_a_job_where_not_all_is_counted (Fixture *f,
                                                          gconstpointer data)
{
  const JmWork of_1 = make_work (8e6);
  const JmWork of_2 = make_work (1e6);
  const guint64 *parts;

  two_sockets_run (f->node, 50, 50, 50, 50);
  jm_energy_split_begin_round (f->split, SHORT_ROUND_US, f->readings);
  add_counted_job (f, 1, "0,2", 100, &of_1);
  add_counted_job (f, 2, "1", 50, &of_2);
  jm_energy_split_weigh (f->split);

  parts = take_memory (f, 1);
  g_assert_cmpuint (parts[0], >, 0);
  g_assert_cmpfloat_with_epsilon ((double) parts[1] / (double) parts[0], 4.0 / 3, 0.01);
}

static void
test_counts_for_all_or_for_none (Fixture *f, gconstpointer data)
{
  const JmWork of_1 = make_work (8e6);
  const JmWork of_all = make_work (11e6);
  const guint64 *parts;

  two_sockets_run (f->node, 50, 50, 0, 0);
  jm_energy_split_begin_round (f->split, SHORT_ROUND_US, f->readings);
  add_counted_job (f, 1, "0", 50, &of_1);
  add_job (f, 2, "1", 50);
  jm_energy_split_count_node (f->split, &of_all);
  jm_energy_split_weigh (f->split);

  parts = take_memory (f, 0);
  g_assert_cmpuint (parts[1], >, 0);
  g_assert_cmpuint (ABS ((gint64) (parts[1] - parts[2])), <=, 1);
}

#define ADD(path, function)                                                            \
 g_test_add ("/energy-split/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("gives-each-socket-to-its-jobs", test_gives_each_socket_to_its_jobs);
  ADD ("knows-nothing-of-a-job-on-an-unread-socket",
       test_knows_nothing_of_a_job_on_an_unread_socket);
  ADD ("knows-a-part-of-a-job-on-both-sockets",
       test_knows_a_part_of_a_job_on_both_sockets);
  ADD ("counts-a-die-that-is-missing", test_counts_a_die_that_is_missing);
  ADD ("gives-nobody-what-is-constant", test_gives_nobody_what_is_constant);
  ADD ("takes-a-figure-of-all-sockets-for-whole",
       test_takes_a_figure_of_all_sockets_for_whole);
  ADD ("puts-what-was-counted-where-it-ran", test_puts_what_was_counted_where_it_ran);
  ADD ("takes-the-system-for-a-job-where-not-all-is-counted",
       test_takes_the_system_for_a_job_where_not_all_is_counted);
  ADD ("counts-for-all-or-for-none", test_counts_for_all_or_for_none);

  return g_test_run ();
}
