/* test-power-model.c: what a domain takes when idle, and what each load asks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>

#include "node/energy/jm-power-model-private.h"

static const JmPowerTraits traits = {
  .full_idle = 0.25,
  .common_spread = 0.5,
  .load_spread = 0.5,
  .load_drift = 0.002,
  .common_drift = 0.002,
  .idle_drift = 0.0002,
  .noise = 0.01,
};

static JmPowerInterval
make_interval (guint socket, double watts)
{
  return (JmPowerInterval){
    .socket = socket,
    .energy = watts * 5,
    .seconds = 5,
    .capacity = 5 * 16,
  };
}

static void
learn (JmPowerModel *model,
       guint times,
       guint socket,
       double watts,
       const JmPowerDemand *demands,
       guint n)
{
  JmPowerInterval interval = make_interval (socket, watts);

  for (guint i = 0; i < times; i++)
    jm_power_model_learn (model, &interval, demands, n);
}

/* Watts for each CPU. */
static double
ask (JmPowerModel *model, guint64 id)
{
  JmPowerInterval interval = make_interval (0, 0);
  JmPowerDemand demand = { .id = id, .activity = 5 };
  double joules;

  jm_power_model_explain (model, &interval, &demand, 1, &joules);

  return joules / 5;
}

static double
ask_idle (JmPowerModel *model, guint socket)
{
  JmPowerInterval interval = make_interval (socket, 0);

  return jm_power_model_explain (model, &interval, NULL, 0, NULL) / 5;
}

static void
test_before_anything_is_learned_it_guesses_by_full_power (void)
{
  g_autoptr (JmPowerModel) model = jm_power_model_new (&traits);
  JmPowerInterval interval = make_interval (0, 100);
  JmPowerDemand demand = { .id = 1, .activity = 80 };
  double joules;
  double idle = jm_power_model_explain (model, &interval, &demand, 1, &joules);

  g_assert_cmpfloat_with_epsilon (idle, 125, 1e-6);
  g_assert_cmpfloat_with_epsilon (joules, 375, 1e-6);
}

static void
test_what_starts_is_known_by_the_step (void)
{
  g_autoptr (JmPowerModel) model = jm_power_model_new (&traits);
  JmPowerDemand demands[] = { { .id = 1, .activity = 20 },
                              { .id = 2, .activity = 20 } };

  learn (model, 30, 0, 10, NULL, 0);
  learn (model, 30, 0, 26, demands, 1);
  learn (model, 30, 0, 34, demands, 2);

  g_assert_cmpfloat_with_epsilon (ask_idle (model, 0), 10, 0.5);
  g_assert_cmpfloat_with_epsilon (ask (model, 1), 4, 0.4);
  g_assert_cmpfloat_with_epsilon (ask (model, 2), 2, 0.4);
}

static void
test_who_has_gone_is_forgotten (void)
{
  g_autoptr (JmPowerModel) model = jm_power_model_new (&traits);
  JmPowerDemand demands[] = { { .id = 1, .activity = 20 },
                              { .id = 2, .activity = 20 } };

  learn (model, 30, 0, 10, NULL, 0);
  learn (model, 30, 0, 26, demands, 1);
  learn (model, 30, 0, 34, demands, 2);
  learn (model, 10, 0, 10, NULL, 0);

  g_assert_cmpfloat (ask (model, 1), ==, ask (model, 3));
}

static void
test_what_was_learned_on_one_socket_holds_on_the_other (void)
{
  g_autoptr (JmPowerModel) model = jm_power_model_new (&traits);
  JmPowerDemand demands[] = { { .id = 1, .activity = 20 },
                              { .id = 2, .activity = 20 } };

  for (guint i = 0; i < 60; i++)
    {
      learn (model, 1, 0, i < 30 ? 10 : 26, demands, i < 30 ? 0 : 1);
      learn (model, 1, 1, i < 30 ? 14 : 38, demands, i < 30 ? 0 : 2);
    }

  g_assert_cmpfloat_with_epsilon (ask_idle (model, 0), 10, 0.5);
  g_assert_cmpfloat_with_epsilon (ask_idle (model, 1), 14, 0.7);
  g_assert_cmpfloat_with_epsilon (ask (model, 2), 2, 0.4);
}

static void
test_one_wild_reading_teaches_little (void)
{
  g_autoptr (JmPowerModel) model = jm_power_model_new (&traits);
  JmPowerDemand demand = { .id = 1, .activity = 20 };

  learn (model, 30, 0, 10, NULL, 0);
  learn (model, 60, 0, 26, &demand, 1);
  learn (model, 1, 0, 26000, &demand, 1);
  learn (model, 3, 0, 26, &demand, 1);

  g_assert_cmpfloat_with_epsilon (ask (model, 1), 4, 1.5);
}

static void
test_a_machine_that_is_another_one_is_learned_anew (void)
{
  g_autoptr (JmPowerModel) model = jm_power_model_new (&traits);
  JmPowerDemand demand = { .id = 1, .activity = 20 };

  learn (model, 30, 0, 10, NULL, 0);
  learn (model, 60, 0, 26, &demand, 1);
  learn (model, 200, 0, 1e6, NULL, 0);

  g_assert_cmpfloat_with_epsilon (ask_idle (model, 0) / 1e6, 1, 0.05);
}

static void
test_beyond_so_many_the_small_ones_are_common (void)
{
  g_autoptr (JmPowerModel) model = jm_power_model_new (&traits);
  JmPowerDemand demands[JM_POWER_MODEL_MAX_LOADS + 2];

  for (guint i = 0; i < G_N_ELEMENTS (demands); i++)
    demands[i] = (JmPowerDemand){ .id = i + 1, .activity = 1 };
  learn (model, 20, 0, 40, demands, JM_POWER_MODEL_MAX_LOADS + 1);
  g_assert_cmpfloat (ask (model, JM_POWER_MODEL_MAX_LOADS + 1), ==, ask (model, 9999));

  demands[JM_POWER_MODEL_MAX_LOADS + 1].activity = 40;
  learn (model, 20, 0, 140, demands, JM_POWER_MODEL_MAX_LOADS + 2);
  g_assert_cmpfloat (ask (model, JM_POWER_MODEL_MAX_LOADS + 2), !=, ask (model, 9999));
}

static void
test_no_load_takes_less_than_nothing (void)
{
  g_autoptr (JmPowerModel) model = jm_power_model_new (&traits);
  JmPowerDemand demands[] = { { .id = 1, .activity = 20 },
                              { .id = 2, .activity = 20 } };

  learn (model, 30, 0, 10, NULL, 0);
  learn (model, 30, 0, 26, demands, 1);
  learn (model, 30, 0, 20, demands, 2);

  g_assert_cmpfloat (ask (model, 1), >, 0);
  g_assert_cmpfloat (ask (model, 2), >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/power-model/before-anything-is-learned-it-guesses-by-full-power",
                   test_before_anything_is_learned_it_guesses_by_full_power);
  g_test_add_func ("/power-model/what-starts-is-known-by-the-step",
                   test_what_starts_is_known_by_the_step);
  g_test_add_func ("/power-model/who-has-gone-is-forgotten",
                   test_who_has_gone_is_forgotten);
  g_test_add_func ("/power-model/what-was-learned-on-one-socket-holds-on-the-other",
                   test_what_was_learned_on_one_socket_holds_on_the_other);
  g_test_add_func ("/power-model/one-wild-reading-teaches-little",
                   test_one_wild_reading_teaches_little);
  g_test_add_func ("/power-model/a-machine-that-is-another-one-is-learned-anew",
                   test_a_machine_that_is_another_one_is_learned_anew);
  g_test_add_func ("/power-model/beyond-so-many-the-small-ones-are-common",
                   test_beyond_so_many_the_small_ones_are_common);
  g_test_add_func ("/power-model/no-load-takes-less-than-nothing",
                   test_no_load_takes_less_than_nothing);

  return g_test_run ();
}
