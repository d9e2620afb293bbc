/* test-emission-parsers.c: what providers answer, and what is made of it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "sources/emissions/jm-emission-claim-private.h"
#include "sources/emissions/jm-emission-parsers-private.h"

#define NOW "2026-03-10T10:20:00Z"

typedef JmEmissionFactor *(*Parse) (JsonNode *answer, gint64 now_us, GError **error);

static gint64
time_of (const char *text)
{
  gint64 time_us = 0;

  g_assert_true (jm_emission_parse_time (text, &time_us));

  return time_us;
}

static JmEmissionFactor *
parse_maps (JsonNode *answer, gint64 now_us, GError **error)
{
  return jm_electricity_maps_parse (answer, "DE", now_us, error);
}

static JmEmissionFactor *
parse_watt_time (JsonNode *answer, gint64 now_us, GError **error)
{
  return jm_watt_time_parse (answer, "CAISO_NORTH", now_us, error);
}

static JmEmissionFactor *
parse_uk (JsonNode *answer, gint64 now_us, GError **error)
{
  return jm_uk_carbon_intensity_parse (answer, "GB", now_us, error);
}

static JmEmissionFactor *
parse_at (Parse parse, const char *text, const char *now, GError **error)
{
  g_autoptr (JsonNode) answer = jm_json_parse (text, strlen (text));

  g_assert_nonnull (answer);

  return parse (answer, time_of (now), error);
}

static JmEmissionFactor *
read_answer (Parse parse, const char *text)
{
  g_autoptr (GError) error = NULL;
  JmEmissionFactor *factor = parse_at (parse, text, NOW, &error);

  g_assert_no_error (error);
  g_assert_nonnull (factor);

  return factor;
}

static void
assert_refused (Parse parse, const char *text, JmError code, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (parse_at (parse, text, NOW, &error));
  g_assert_error (error, JM_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, words));
}

static void
assert_span (JmEmissionFactor *factor, const char *from, const char *until)
{
  g_assert_cmpint (jm_emission_factor_get_valid_from (factor), ==, time_of (from));
  g_assert_cmpint (jm_emission_factor_get_valid_until (factor), ==, time_of (until));
}

static void
test_times_come_with_and_without_seconds (void)
{
  gint64 us = 0;

  g_assert_cmpint (time_of ("2018-01-20T12:00Z"), ==, time_of ("2018-01-20T12:00:00Z"));
  g_assert_cmpint (time_of ("2018-01-20T13:00+01:00"), ==,
                   time_of ("2018-01-20T12:00:00.000Z"));
  g_assert_false (jm_emission_parse_time ("2018-01-20T12:00:00", &us));
  g_assert_false (jm_emission_parse_time ("2018-01-20T12:00", &us));
  g_assert_false (jm_emission_parse_time ("", &us));
  g_assert_false (jm_emission_parse_time ("yesterday", &us));
}

static void
test_rte_is_read (void)
{
  g_autoptr (JmEmissionFactor) factor =
    read_answer (jm_rte_parse, "{\"total_count\": 130, \"results\": ["
                               "{\"taux_co2\": 23, "
                               "\"date_heure\": \"2026-03-10T10:00:00+00:00\"}]}");

  g_assert_cmpstr (jm_emission_factor_get_provider (factor), ==, "rte");
  g_assert_cmpstr (jm_emission_factor_get_zone (factor), ==, "FR");
  g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (factor), ==, 23);
  g_assert_cmpint (jm_emission_factor_get_method (factor), ==,
                   JM_EMISSION_METHOD_AVERAGE);
  g_assert_cmpint (jm_emission_factor_get_scope (factor), ==, JM_EMISSION_SCOPE_DIRECT);
  g_assert_cmpint (jm_emission_factor_get_quality (factor), ==,
                   JM_EMISSION_QUALITY_ESTIMATED);
  assert_span (factor, "2026-03-10T10:00:00Z", "2026-03-10T10:15:00Z");
}

static void
test_rte_rows_of_the_future_are_empty (void)
{
  g_autoptr (JmEmissionFactor) factor =
    read_answer (jm_rte_parse, "{\"results\": ["
                               "{\"taux_co2\": null, "
                               "\"date_heure\": \"2026-03-10T22:45:00+00:00\"},"
                               "{\"taux_co2\": 21, "
                               "\"date_heure\": \"2026-03-10T09:45:00+00:00\"},"
                               "{\"taux_co2\": 22, "
                               "\"date_heure\": \"2026-03-10T10:00:00+00:00\"}]}");

  g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (factor), ==, 22);
}

static void
test_rte_just_after_midnight_is_of_yesterday (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmEmissionFactor) factor =
    parse_at (jm_rte_parse,
              "{\"results\": [{\"taux_co2\": 19, "
              "\"date_heure\": \"2026-03-09T22:45:00+00:00\"}]}",
              "2026-03-10T00:02:00+01:00", &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (factor), ==, 19);
}

static void
test_rte_without_a_figure_is_unavailable (void)
{
  assert_refused (jm_rte_parse, "{\"total_count\": 0, \"results\": []}",
                  JM_ERROR_UNAVAILABLE, "no row");
  assert_refused (jm_rte_parse,
                  "{\"results\": [{\"taux_co2\": null, "
                  "\"date_heure\": \"2026-03-10T10:00:00+00:00\"}]}",
                  JM_ERROR_UNAVAILABLE, "no row");
}

#define MAPS(figure, time)                                                             \
 "{\"zone\": \"DE\", \"carbonIntensity\": " figure ", \"datetime\": \"" time           \
 "\", \"updatedAt\": \"2026-03-10T10:05:00.000Z\", "                                   \
 "\"emissionFactorType\": \"lifecycle\", \"isEstimated\": true, "                      \
 "\"estimationMethod\": \"TIME_SLICER_AVERAGE\"}"

static void
test_electricity_maps_is_read (void)
{
  g_autoptr (JmEmissionFactor) factor =
    read_answer (parse_maps, MAPS ("302", "2026-03-10T10:00:00.000Z"));

  g_assert_cmpstr (jm_emission_factor_get_zone (factor), ==, "DE");
  g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (factor), ==, 302);
  g_assert_cmpint (jm_emission_factor_get_scope (factor), ==,
                   JM_EMISSION_SCOPE_LIFECYCLE);
  g_assert_cmpint (jm_emission_factor_get_quality (factor), ==,
                   JM_EMISSION_QUALITY_ESTIMATED);
  assert_span (factor, "2026-03-10T10:00:00Z", "2026-03-10T11:00:00Z");
}

static void
test_electricity_maps_says_what_is_measured (void)
{
  g_autoptr (JmEmissionFactor) factor =
    read_answer (parse_maps,
                 "{\"zone\": \"DE\", \"carbonIntensity\": 280.5, "
                 "\"datetime\": \"2026-03-10T10:00:00.000Z\", "
                 "\"emissionFactorType\": \"direct\", \"isEstimated\": false}");

  g_assert_cmpint (jm_emission_factor_get_scope (factor), ==, JM_EMISSION_SCOPE_DIRECT);
  g_assert_cmpint (jm_emission_factor_get_quality (factor), ==,
                   JM_EMISSION_QUALITY_MEASURED);
}

static void
test_electricity_maps_must_not_guess_where_one_is (void)
{
  assert_refused (parse_maps,
                  "{\"zone\": \"US-CAL-CISO\", \"carbonIntensity\": 200, "
                  "\"datetime\": \"2026-03-10T10:00:00Z\"}",
                  JM_ERROR_ABSENT, "US-CAL-CISO");
}

#define WATT_TIME(value, units)                                                        \
 "{\"data\": [{\"point_time\": \"2026-03-10T10:20:00+00:00\", \"value\": " value "}]," \
 " \"meta\": {\"data_point_period_seconds\": 300, \"region\": \"CAISO_NORTH\", "       \
 "\"warnings\": [], \"signal_type\": \"co2_moer\", \"model\": {\"date\": "             \
 "\"2023-03-01\"}, \"units\": \"" units "\", \"generated_at_period_seconds\": 300, "   \
 "\"generated_at\": \"2026-03-10T10:20:00+00:00\"}}"

static void
test_watt_time_pounds_become_grams (void)
{
  g_autoptr (JmEmissionFactor) factor =
    read_answer (parse_watt_time, WATT_TIME ("1000", "lbs_co2_per_mwh"));

  g_assert_cmpfloat_with_epsilon (jm_emission_factor_get_grams_per_kwh (factor),
                                  453.59237, 1e-6);
  g_assert_cmpint (jm_emission_factor_get_method (factor), ==,
                   JM_EMISSION_METHOD_MARGINAL);
  g_assert_cmpint (jm_emission_factor_get_quality (factor), ==,
                   JM_EMISSION_QUALITY_ESTIMATED);
  assert_span (factor, "2026-03-10T10:20:00Z", "2026-03-10T10:25:00Z");
}

static void
test_watt_time_in_another_unit_is_not_believed (void)
{
  assert_refused (parse_watt_time, WATT_TIME ("40", "percentile"), JM_ERROR_MALFORMED,
                  "units of the answer is not lbs_co2_per_mwh: \\\"percentile\\\"");
}

static void
test_watt_time_forecasts_begin_now (void)
{
  g_autoptr (JmEmissionFactor) factor = read_answer (
    parse_watt_time,
    "{\"data\": [{\"point_time\": \"2026-03-10T10:15:00+00:00\", \"value\": 800},"
    "{\"point_time\": \"2026-03-10T10:20:00+00:00\", \"value\": 900},"
    "{\"point_time\": \"2026-03-10T10:25:00+00:00\", \"value\": 1000}],"
    "\"meta\": {\"region\": \"CAISO_NORTH\", \"signal_type\": \"co2_moer\","
    "\"units\": \"lbs_co2_per_mwh\"}}");

  g_assert_cmpfloat_with_epsilon (jm_emission_factor_get_grams_per_kwh (factor),
                                  900 * 0.45359237, 1e-5);
}

#define UK(actual)                                                                     \
 "{\"data\":[{\"from\":\"2026-03-10T10:00Z\",\"to\":\"2026-03-10T10:30Z\","            \
 "\"intensity\":{\"forecast\":266,\"actual\":" actual ",\"index\":\"moderate\"}}]}"

static void
test_uk_gives_what_was_or_what_is_expected (void)
{
  g_autoptr (JmEmissionFactor) known = read_answer (parse_uk, UK ("263"));
  g_autoptr (JmEmissionFactor) expected = read_answer (parse_uk, UK ("null"));

  g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (known), ==, 263);
  g_assert_cmpint (jm_emission_factor_get_quality (known), ==,
                   JM_EMISSION_QUALITY_MEASURED);
  assert_span (known, "2026-03-10T10:00:00Z", "2026-03-10T10:30:00Z");
  g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (expected), ==, 266);
  g_assert_cmpint (jm_emission_factor_get_quality (expected), ==,
                   JM_EMISSION_QUALITY_ESTIMATED);
}

static void
test_uk_regions_have_forecasts (void)
{
  g_autoptr (JmEmissionFactor) factor =
    read_answer (parse_uk,
                 "{\"data\":[{\"regionid\":12,\"dnoregion\":\"SSE South\","
                 "\"shortname\":\"South England\",\"postcode\":\"RG10\",\"data\":[{"
                 "\"from\":\"2026-03-10T10:00Z\",\"to\":\"2026-03-10T10:30Z\","
                 "\"intensity\":{\"forecast\":126,\"index\":\"moderate\"},"
                 "\"generationmix\":[{\"fuel\":\"gas\",\"perc\":26.7}]}]}]}");

  g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (factor), ==, 126);
  g_assert_cmpint (jm_emission_factor_get_quality (factor), ==,
                   JM_EMISSION_QUALITY_ESTIMATED);
}

#define HALF_HOUR(from, to, grams)                                                     \
 "{\"from\":\"" from "\",\"to\":\"" to "\",\"intensity\":{\"forecast\":" grams         \
 ",\"index\":\"low\"}}"
#define HALF_HOURS                                                                     \
 HALF_HOUR ("2026-03-11T10:30Z", "2026-03-11T11:00Z", "80")                            \
 "," HALF_HOUR ("2026-03-10T10:00Z", "2026-03-10T10:30Z",                              \
                "266") "," HALF_HOUR ("2026-03-10T10:30Z", "2026-03-10T11:00Z",        \
                                      "\"low\"")

typedef GPtrArray *(*ForecastFunc) (JsonNode *answer, const char *zone, GError **error);

static GPtrArray *
read_forecast (ForecastFunc parse, const char *zone, const char *text, GError **error)
{
  g_autoptr (JsonNode) answer = jm_json_parse (text, strlen (text));

  return parse (answer, zone, error);
}

/* Of two points, the one of 10:00 first. */
static void
assert_forecast (ForecastFunc parse,
                 const char *zone,
                 const char *text,
                 const char *until,
                 double first,
                 double second)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) forecast = read_forecast (parse, zone, text, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (forecast->len, ==, 2);
  g_assert_cmpfloat_with_epsilon (jm_emission_factor_get_grams_per_kwh (
                                    forecast->pdata[0]),
                                  first, 1e-5);
  assert_span (forecast->pdata[0], "2026-03-10T10:00:00Z", until);
  g_assert_cmpfloat_with_epsilon (jm_emission_factor_get_grams_per_kwh (
                                    forecast->pdata[1]),
                                  second, 1e-5);
}

static void
assert_no_forecast (ForecastFunc parse, const char *zone, const char *text, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (read_forecast (parse, zone, text, &error));
  g_assert_error (error, JM_ERROR, code);
}

#define MAPS_FORECAST(zone, more)                                                      \
 "{\"zone\": \"" zone "\", \"updatedAt\": \"2026-03-10T09:40:00.000Z\", " more         \
 "\"forecast\": [{\"carbonIntensity\": 190, \"datetime\": "                            \
 "\"2026-03-12T09:00:00.000Z\"}, {\"carbonIntensity\": \"low\", \"datetime\": "        \
 "\"2026-03-10T11:00:00.000Z\"}, null, {\"carbonIntensity\": 302, \"datetime\": "      \
 "\"2026-03-10T10:00:00.000Z\"}]}"

static void
test_electricity_maps_forecasts_hours (void)
{
  ForecastFunc parse = jm_electricity_maps_parse_forecast;
  g_autoptr (GPtrArray) direct =
    read_forecast (parse, "DE",
                   MAPS_FORECAST ("DE", "\"emissionFactorType\": \"direct\", "), NULL);
  g_autoptr (GPtrArray) usual =
    read_forecast (parse, "DE", MAPS_FORECAST ("DE", ""), NULL);

  assert_forecast (parse, "DE", MAPS_FORECAST ("DE", ""), "2026-03-10T11:00:00Z", 302,
                   190);
  assert_forecast (parse, "DE",
                   MAPS_FORECAST ("DE", "\"temporalGranularity\": \"15_minutes\", "),
                   "2026-03-10T10:15:00Z", 302, 190);
  g_assert_cmpint (jm_emission_factor_get_scope (direct->pdata[0]), ==,
                   JM_EMISSION_SCOPE_DIRECT);
  g_assert_cmpint (jm_emission_factor_get_scope (usual->pdata[0]), ==,
                   JM_EMISSION_SCOPE_LIFECYCLE);
  assert_no_forecast (parse, "DE", MAPS_FORECAST ("FR", ""), JM_ERROR_ABSENT);
  assert_no_forecast (parse, "DE",
                      MAPS_FORECAST ("DE", "\"temporalGranularity\": \"daily\", "),
                      JM_ERROR_MALFORMED);
  assert_no_forecast (parse, "DE", "{\"zone\": \"DE\", \"forecast\": 7}",
                      JM_ERROR_MALFORMED);
}

#define WATT_TIME_FORECAST(units)                                                      \
 "{\"data\": [{\"point_time\": \"2026-03-12T09:00:00+00:00\", \"value\": 500}, "       \
 "{\"point_time\": \"2026-03-10T10:05:00+00:00\", \"value\": null}, "                  \
 "{\"point_time\": \"2026-03-10T10:00:00+00:00\", \"value\": 1000}], \"meta\": "       \
 "{\"data_point_period_seconds\": 300, \"region\": \"CAISO_NORTH\", "                  \
 "\"signal_type\": \"co2_moer\", \"units\": \"" units "\"}}"

static void
test_watt_time_forecasts_the_time_to_come (void)
{
  assert_forecast (jm_watt_time_parse_forecast, "CAISO_NORTH",
                   WATT_TIME_FORECAST ("lbs_co2_per_mwh"), "2026-03-10T10:05:00Z",
                   453.59237, 226.796185);
  assert_no_forecast (jm_watt_time_parse_forecast, "CAISO_NORTH",
                      WATT_TIME_FORECAST ("percentile"), JM_ERROR_MALFORMED);
  assert_no_forecast (jm_watt_time_parse_forecast, "PJM",
                      WATT_TIME_FORECAST ("lbs_co2_per_mwh"), JM_ERROR_MALFORMED);
}

static void
test_uk_forecasts_are_of_half_hours (void)
{
  static const char *const refused[] = { "{}", "[]", "7", "{\"data\":[]}",
                                         "{\"data\":[{\"intensity\":7},null,[]]}" };
  ForecastFunc parse = jm_uk_carbon_intensity_parse_forecast;

  assert_forecast (parse, "GB", "{\"data\":[" HALF_HOURS "]}", "2026-03-10T10:30:00Z",
                   266, 80);
  assert_forecast (parse, "GB",
                   "{\"data\":{\"regionid\":13,\"data\":[" HALF_HOURS "]}}",
                   "2026-03-10T10:30:00Z", 266, 80);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    assert_no_forecast (parse, "GB", refused[i], JM_ERROR_MALFORMED);
}

static void
test_a_number_that_is_none_is_refused (void)
{
  assert_refused (parse_maps, MAPS ("-1", "2026-03-10T10:00:00.000Z"),
                  JM_ERROR_MALFORMED, "kilowatt-hour: -1");
  assert_refused (parse_maps, MAPS ("null", "2026-03-10T10:00:00.000Z"),
                  JM_ERROR_MALFORMED, "not a number: null");
  assert_refused (parse_maps, MAPS ("\"302\"", "2026-03-10T10:00:00.000Z"),
                  JM_ERROR_MALFORMED, "not a number: \\\"302\\\"");
  assert_refused (parse_maps, MAPS ("1e999", "2026-03-10T10:00:00.000Z"),
                  JM_ERROR_MALFORMED, "not a number");
  assert_refused (parse_maps, MAPS ("5001", "2026-03-10T10:00:00.000Z"),
                  JM_ERROR_MALFORMED, "5001");
  assert_refused (parse_watt_time, WATT_TIME ("-1", "lbs_co2_per_mwh"),
                  JM_ERROR_MALFORMED, "kilowatt-hour");
  assert_refused (parse_uk, UK ("-1"), JM_ERROR_MALFORMED, "-1");
  assert_refused (parse_uk, UK ("\"low\""), JM_ERROR_MALFORMED, "low");
}

static void
test_a_time_that_cannot_be_now_is_refused (void)
{
  assert_refused (parse_maps, MAPS ("302", "2026-03-10T11:00:00.000Z"),
                  JM_ERROR_MALFORMED, "future: 2026-03-10T11:00:00.000Z");
  assert_refused (parse_maps, MAPS ("302", "2026-03-08T10:00:00.000Z"),
                  JM_ERROR_MALFORMED, "long past: 2026-03-08T10:00:00.000Z");
  assert_refused (parse_maps, MAPS ("302", "now"), JM_ERROR_MALFORMED,
                  "not a time: now");
  assert_refused (parse_uk,
                  "{\"data\":[{\"from\":\"2026-03-10T10:30Z\","
                  "\"to\":\"2026-03-10T10:00Z\",\"intensity\":{\"forecast\":1}}]}",
                  JM_ERROR_MALFORMED, "before it begins");
}

static void
test_json_of_another_kind_is_refused (void)
{
  const Parse all[] = { jm_rte_parse, parse_maps, parse_watt_time, parse_uk };
  const char *texts[] = { "[]",
                          "{}",
                          "null",
                          "7",
                          "{\"data\": [[[]]]}",
                          "{\"results\": {}, \"data\": {}, \"meta\": []}",
                          "{\"error\": \"no such zone\"}" };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    for (guint j = 0; j < G_N_ELEMENTS (texts); j++)
      {
        g_autoptr (GError) error = NULL;

        g_assert_null (parse_at (all[i], texts[j], NOW, &error));
        g_assert_cmpuint (error->domain, ==, JM_ERROR);
      }
}

#define TABLE                                                                          \
 "# a comment\n"                                                                       \
 "FRA,FR,France,2024,44.18\n"                                                          \
 "DEU,DE,Germany,2024,many\n"                                                          \
 "ITA,IT,Italy,2024\n"                                                                 \
 "ESP,ES,Spain,2024,-1"

static void
test_a_country_is_found_by_either_code (void)
{
  const char *codes[] = { "FR", "FRA", "fr" };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JmEmissionFactor) factor =
        jm_owid_parse (TABLE, strlen (TABLE), codes[i], &error);

      g_assert_no_error (error);
      g_assert_cmpfloat (jm_emission_factor_get_grams_per_kwh (factor), ==, 44.18);
      g_assert_cmpstr (jm_emission_factor_get_zone (factor), ==, "FR");
      g_assert_cmpint (jm_emission_factor_get_quality (factor), ==,
                       JM_EMISSION_QUALITY_STATISTIC);
      assert_span (factor, "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z");
    }
}

static void
test_a_country_that_is_not_in_the_table_is_absent (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_owid_parse (TABLE, strlen (TABLE), "XX", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_a_broken_line_of_the_table_is_quoted (void)
{
  const char *codes[] = { "DE", "IT", "ES" };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (jm_owid_parse (TABLE, strlen (TABLE), codes[i], &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
      g_assert_nonnull (strstr (error->message, "2024"));
    }
}

#define TEST(name)                                                                     \
 {                                                                                     \
  "/emission-parsers/" #name, test_##name                                              \
 }

int
main (int argc, char **argv)
{
  const struct
  {
    const char *path;
    GTestFunc function;
  } tests[] = {
    TEST (times_come_with_and_without_seconds),
    TEST (rte_is_read),
    TEST (rte_rows_of_the_future_are_empty),
    TEST (rte_just_after_midnight_is_of_yesterday),
    TEST (rte_without_a_figure_is_unavailable),
    TEST (electricity_maps_is_read),
    TEST (electricity_maps_says_what_is_measured),
    TEST (electricity_maps_must_not_guess_where_one_is),
    TEST (watt_time_pounds_become_grams),
    TEST (watt_time_in_another_unit_is_not_believed),
    TEST (watt_time_forecasts_begin_now),
    TEST (uk_gives_what_was_or_what_is_expected),
    TEST (uk_regions_have_forecasts),
    TEST (uk_forecasts_are_of_half_hours),
    TEST (electricity_maps_forecasts_hours),
    TEST (watt_time_forecasts_the_time_to_come),
    TEST (a_number_that_is_none_is_refused),
    TEST (a_time_that_cannot_be_now_is_refused),
    TEST (json_of_another_kind_is_refused),
    TEST (a_country_is_found_by_either_code),
    TEST (a_country_that_is_not_in_the_table_is_absent),
    TEST (a_broken_line_of_the_table_is_quoted),
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_func (tests[i].path, tests[i].function);

  return g_test_run ();
}
