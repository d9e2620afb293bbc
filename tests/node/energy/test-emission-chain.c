/* test-emission-chain.c: providers that fall silent, and those that stand in for them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-readings-private.h"
#include "core/jm-snapshot.h"
#include "node/energy/jm-energy-parts-private.h"

#define NOW_US ((gint64) 1773137400 * G_USEC_PER_SEC)
#define HOUR_US ((gint64) 3600 * G_USEC_PER_SEC)
#define PATIENCE_US ((gint64) 20 * G_USEC_PER_SEC)

/* Answers as the test sets it, or waits until it is given up. */
#define FAKE_TYPE_PROVIDER (fake_provider_get_type ())
G_DECLARE_FINAL_TYPE (FakeProvider, fake_provider, FAKE, PROVIDER, JmSource)

struct _FakeProvider
{
  JmSource parent_instance;
  JmEmissionFactor *factor; /* NULL: fails with the message */
  const char *message;
  gboolean is_silent;
  gboolean is_direct; /* and says so before it has answered */
  int n_questions;
};

static void emission_provider_iface_init (JmEmissionProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeProvider,
                               fake_provider,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_EMISSION_PROVIDER,
                                                      emission_provider_iface_init))

static void
wait_to_be_given_up (GCancellable *cancellable)
{
  GPollFD fd = { 0 };

  g_assert_true (g_cancellable_make_pollfd (cancellable, &fd));
  g_poll (&fd, 1, -1);
  g_cancellable_release_fd (cancellable);
}

static JmEmissionFactor *
fake_provider_fetch (JmEmissionProvider *provider,
                     GCancellable *cancellable,
                     GError **error)
{
  FakeProvider *self = FAKE_PROVIDER (provider);

  g_atomic_int_inc (&self->n_questions);
  if (self->is_silent)
    wait_to_be_given_up (cancellable);
  if (self->factor != NULL)
    return jm_emission_factor_ref (self->factor);
  if (self->message != NULL)
    g_set_error_literal (error, JM_ERROR, JM_ERROR_UNAVAILABLE, self->message);

  return NULL;
}

static gboolean
fake_provider_get_kind (JmEmissionProvider *provider,
                        JmEmissionMethod *method,
                        JmEmissionScope *scope)
{
  *method = JM_EMISSION_METHOD_AVERAGE;
  *scope = JM_EMISSION_SCOPE_DIRECT;

  return FAKE_PROVIDER (provider)->is_direct;
}

static void
emission_provider_iface_init (JmEmissionProviderInterface *iface)
{
  iface->fetch = fake_provider_fetch;
  iface->get_kind = fake_provider_get_kind;
}

static void
fake_provider_finalize (GObject *object)
{
  g_clear_pointer (&FAKE_PROVIDER (object)->factor, jm_emission_factor_unref);

  G_OBJECT_CLASS (fake_provider_parent_class)->finalize (object);
}

static void
fake_provider_class_init (FakeProviderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fake_provider_finalize;
}

static void
fake_provider_init (FakeProvider *self)
{
}

static FakeProvider *
make_provider (void)
{
  return g_initable_new (FAKE_TYPE_PROVIDER, NULL, NULL, NULL);
}

/* One that answers with a factor that ended @age_us ago; less than 0: not yet. */
static FakeProvider *
answering (double grams,
           JmEmissionMethod method,
           JmEmissionQuality quality,
           gint64 age_us)
{
  FakeProvider *self = make_provider ();

  self->factor =
    jm_emission_factor_new ("fake", "zone", grams, method, JM_EMISSION_SCOPE_DIRECT,
                            quality, NOW_US - age_us - HOUR_US, NOW_US - age_us);

  return self;
}

static FakeProvider *
live (double grams, gint64 age_us)
{
  return answering (grams, JM_EMISSION_METHOD_AVERAGE, JM_EMISSION_QUALITY_MEASURED,
                    age_us);
}

static FakeProvider *
statistic (double grams)
{
  return answering (grams, JM_EMISSION_METHOD_AVERAGE, JM_EMISSION_QUALITY_STATISTIC,
                    400 * 24 * HOUR_US);
}

static FakeProvider *
of_life_cycle (double grams)
{
  FakeProvider *self = make_provider ();

  self->factor =
    jm_emission_factor_new ("fake", "country", grams, JM_EMISSION_METHOD_AVERAGE,
                            JM_EMISSION_SCOPE_LIFECYCLE, JM_EMISSION_QUALITY_STATISTIC,
                            NOW_US - 400 * 24 * HOUR_US, NOW_US - 40 * 24 * HOUR_US);

  return self;
}

static FakeProvider *
failing (const char *message)
{
  FakeProvider *self = make_provider ();

  self->message = message;
  self->is_direct = TRUE;

  return self;
}

/* Takes the providers; all have been asked when it returns. */
static JmEmissionChain *
make_chain (FakeProvider *first, FakeProvider *second)
{
  JmEmissionChain *chain = jm_emission_chain_new ();

  jm_emission_chain_add (chain, "first", JM_EMISSION_PROVIDER (first));
  jm_emission_chain_add (chain, "second", JM_EMISSION_PROVIDER (second));
  g_object_unref (first);
  g_object_unref (second);
  g_assert_true (jm_emission_chain_wait (chain, PATIENCE_US));

  return chain;
}

static void
assert_average (JmEmissionChain *chain, double grams)
{
  g_autoptr (JmEmissionFactor) factor =
    jm_emission_chain_get (chain, JM_EMISSION_METHOD_AVERAGE, NOW_US);

  g_assert_nonnull (factor);
  g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (factor), ==, grams);
}

static void
test_the_first_provider_counts (void)
{
  g_autoptr (JmEmissionChain) chain = make_chain (live (23, -60), live (50, -60));

  assert_average (chain, 23);
}

static void
test_the_second_counts_if_the_first_has_no_answer (void)
{
  g_autoptr (JmEmissionChain) chain = make_chain (failing ("no route"), live (50, -60));

  assert_average (chain, 50);
}

static void
test_the_second_counts_if_the_first_has_become_stale (void)
{
  g_autoptr (JmEmissionChain) chain =
    make_chain (live (23, JM_EMISSION_GRACE_US + 1), statistic (44));
  g_autoptr (JmEmissionChain) other =
    make_chain (live (23, JM_EMISSION_GRACE_US), statistic (44));

  assert_average (chain, 44);
  assert_average (other, 23);
}

static void
test_a_stale_factor_is_better_than_none (void)
{
  g_autoptr (JmEmissionChain) chain =
    make_chain (live (23, 9 * HOUR_US), live (50, 5 * HOUR_US));
  g_autoptr (JmEmissionFactor) factor =
    jm_emission_chain_get (chain, JM_EMISSION_METHOD_AVERAGE, NOW_US);

  g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (factor), ==, 50);
  g_assert_cmpint (jm_emission_factor_get_age (factor, NOW_US), ==, 5 * HOUR_US);
}

static void
test_average_and_marginal_are_never_mixed (void)
{
  g_autoptr (JmEmissionChain) chain =
    make_chain (answering (450, JM_EMISSION_METHOD_MARGINAL,
                           JM_EMISSION_QUALITY_ESTIMATED, -60),
                statistic (44));
  g_autoptr (JmEmissionFactor) marginal =
    jm_emission_chain_get (chain, JM_EMISSION_METHOD_MARGINAL, NOW_US);
  g_autoptr (JmEmissionChain) only = make_chain (statistic (44), live (23, -60));

  assert_average (chain, 44);
  g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (marginal), ==, 450);
  g_assert_null (jm_emission_chain_get (only, JM_EMISSION_METHOD_MARGINAL, NOW_US));
}

static void
test_a_factor_of_another_scope_never_takes_the_place (void)
{
  g_autoptr (JmEmissionChain) chain =
    make_chain (live (23, JM_EMISSION_GRACE_US + 1), of_life_cycle (44));

  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING, "*second*lifecycle*");
  assert_average (chain, 23);
  g_test_assert_expected_messages ();
  assert_average (chain, 23);
}

/* Else the sums of two lives of a daemon, or of two nodes, would count other things. */
static void
test_the_scope_is_that_of_the_first_provider_though_it_is_down (void)
{
  g_autoptr (JmEmissionChain) chain =
    make_chain (failing ("no route"), of_life_cycle (44));

  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING, "*second*lifecycle*");
  g_assert_null (jm_emission_chain_get (chain, JM_EMISSION_METHOD_AVERAGE, NOW_US));
  g_test_assert_expected_messages ();
}

static void
test_the_scope_waits_for_a_provider_that_has_to_say_it (void)
{
  g_autoptr (JmEmissionChain) chain = jm_emission_chain_new ();
  g_autoptr (FakeProvider) silent = make_provider ();
  g_autoptr (FakeProvider) ready = of_life_cycle (44);

  silent->is_silent = TRUE;
  jm_emission_chain_add (chain, "silent", JM_EMISSION_PROVIDER (silent));
  jm_emission_chain_add (chain, "ready", JM_EMISSION_PROVIDER (ready));
  while (g_atomic_int_get (&ready->n_questions) == 0)
    g_usleep (1000);
  g_assert_false (jm_emission_chain_wait (chain, 1000));
  g_assert_null (jm_emission_chain_get (chain, JM_EMISSION_METHOD_AVERAGE, NOW_US));
}

/* What a chain reports at the moment. */
static JmReadings *
get_told (JmEmissionChain *chain)
{
  JmReadings *readings = jm_readings_new ();

  jm_readings_reset (readings, jm_collector_set_get_all ());
  jm_readings_set_subject (readings, JM_NODE_SUBJECT);
  g_assert_true (jm_readings_begin (readings, JM_COLLECTOR_EMISSIONS));
  jm_emission_chain_tell (chain, NOW_US, readings);
  jm_readings_end (readings);

  return readings;
}

/* The values of the labels stand between blanks. */
static const JmReading *
find_told (JmReadings *readings, JmMetric metric, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_autoptr (JmLabels) labels = jm_labels_new ((const char *const *) words);
  guint n;
  const JmReading *values = jm_readings_get_values (readings, &n);

  for (guint i = 0; i < n; i++)
    {
      if (values[i].metric == metric && values[i].labels == labels)
        return &values[i];
    }

  return NULL;
}

static void
assert_told (JmReadings *readings, JmMetric metric, const char *text, guint64 value)
{
  const JmReading *told = find_told (readings, metric, text);

  g_assert_nonnull (told);
  g_assert_cmpuint (told->value, ==, value);
}

static void
test_each_provider_is_shown_with_how_it_fares (void)
{
  g_autoptr (JmEmissionChain) chain =
    make_chain (failing ("no route"), live (50, HOUR_US));
  g_autoptr (JmReadings) readings = get_told (chain);

  assert_told (readings, JM_METRIC_EMISSION_PROVIDER_UP, "first ", 0);
  assert_told (readings, JM_METRIC_EMISSION_PROVIDER_UP, "fake zone", 1);
  assert_told (readings, JM_METRIC_EMISSION_FACTOR, "fake zone average direct measured",
               50 * G_USEC_PER_SEC);
  assert_told (readings, JM_METRIC_EMISSION_FACTOR_AGE, "fake zone", HOUR_US);
}

static void
test_a_zone_that_is_named_twice_is_reported_once (void)
{
  g_autoptr (JmEmissionChain) chain = make_chain (live (23, -60), statistic (44));
  g_autoptr (JmReadings) readings = get_told (chain);
  guint n;

  jm_readings_get_values (readings, &n);
  g_assert_cmpuint (n, ==, 3);
  assert_told (readings, JM_METRIC_EMISSION_FACTOR, "fake zone average direct measured",
               23 * G_USEC_PER_SEC);
}

static void
test_why_a_provider_is_down_is_reported (void)
{
  g_autoptr (JmEmissionChain) chain =
    make_chain (failing ("no route"), make_provider ());
  g_autoptr (JmReadings) readings = get_told (chain);
  const JmCollectorStatus *status =
    jm_readings_get_status (readings, JM_COLLECTOR_EMISSIONS);

  g_assert_cmpuint (status->n_errors, ==, 2);
  g_assert_cmpstr (status->first_error->message, ==, "no route");
}

static void
test_nobody_waits_for_a_provider_that_hangs (void)
{
  g_autoptr (JmEmissionChain) chain = jm_emission_chain_new ();
  g_autoptr (FakeProvider) hanging = make_provider ();
  g_autoptr (FakeProvider) ready = statistic (44);
  g_autoptr (JmReadings) readings = NULL;

  hanging->is_silent = TRUE;
  jm_emission_chain_add (chain, "hanging", JM_EMISSION_PROVIDER (hanging));
  g_assert_null (jm_emission_chain_get (chain, JM_EMISSION_METHOD_AVERAGE, NOW_US));
  g_assert_false (jm_emission_chain_wait (chain, 1000));

  jm_emission_chain_add (chain, "ready", JM_EMISSION_PROVIDER (ready));
  while (g_atomic_int_get (&ready->n_questions) == 0)
    g_usleep (1000);
  g_assert_false (jm_emission_chain_wait (chain, 1000));
  readings = get_told (chain);
  g_assert_null (find_told (readings, JM_METRIC_EMISSION_PROVIDER_UP, "hanging "));
}

static void
test_without_providers_there_is_no_factor (void)
{
  g_autoptr (JmEmissionChain) chain = jm_emission_chain_new ();

  g_assert_true (jm_emission_chain_wait (chain, 0));
  g_assert_null (jm_emission_chain_get (chain, JM_EMISSION_METHOD_AVERAGE, NOW_US));
}

#define TEST(name)                                                                     \
 {                                                                                     \
  "/emission-chain/" #name, test_##name                                                \
 }

int
main (int argc, char **argv)
{
  const struct
  {
    const char *path;
    GTestFunc function;
  } tests[] = {
    TEST (the_first_provider_counts),
    TEST (the_second_counts_if_the_first_has_no_answer),
    TEST (the_second_counts_if_the_first_has_become_stale),
    TEST (a_stale_factor_is_better_than_none),
    TEST (average_and_marginal_are_never_mixed),
    TEST (a_factor_of_another_scope_never_takes_the_place),
    TEST (the_scope_is_that_of_the_first_provider_though_it_is_down),
    TEST (the_scope_waits_for_a_provider_that_has_to_say_it),
    TEST (each_provider_is_shown_with_how_it_fares),
    TEST (a_zone_that_is_named_twice_is_reported_once),
    TEST (why_a_provider_is_down_is_reported),
    TEST (nobody_waits_for_a_provider_that_hangs),
    TEST (without_providers_there_is_no_factor),
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_func (tests[i].path, tests[i].function);

  return g_test_run ();
}
