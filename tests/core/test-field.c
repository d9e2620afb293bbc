/* test-field.c: whatever is known of a job, by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "../report/report-jobs.h"
#include "core/jm-field-table-private.h"
#include "core/jm-field.h"

static void
check (const char *name, const char *expected, const char *expected_plain)
{
  g_autoptr (JmSnapshot) snapshot = report_jobs_make_snapshot ();
  const JmField *field = jm_field_from_name (name);
  g_autofree char *text = jm_field_format (field, snapshot, JOB);
  g_autofree char *plain = jm_field_to_string (field, snapshot, JOB);

  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpstr (plain, ==, expected_plain);
}

/* The lists of the library are joined: a name in two of them would hide a field. */
static void
test_every_field_is_found_by_its_names_and_its_title (void)
{
  g_autoptr (GPtrArray) fields = jm_field_list ();

  for (guint i = 0; i < fields->len; i++)
    {
      const JmField *field = fields->pdata[i];
      const JmQuantity *quantity = field->quantity;

      g_assert_true (jm_field_from_name (quantity->name) == field);
      g_assert_nonnull (quantity->help);
      g_assert_nonnull (quantity->heading);
      if (quantity->short_name == NULL)
        continue;
      g_assert_true (jm_field_from_name (quantity->short_name) == field);
      g_assert_true (jm_field_from_name (quantity->heading) == field);
    }
  g_assert_cmpstr (jm_field_from_name ("CPU-TIME")->quantity->name, ==, "cpu_seconds");
  g_assert_cmpstr (jm_field_from_name ("EFF%")->quantity->name, ==,
                   "cpu_efficiency_percent");
  g_assert_null (jm_field_from_name ("effort"));
}

static void
test_people_read_units_and_programs_base_units (void)
{
  check ("mem", "3.0MiB", "3145728");
  check ("cpu_time", "20.50s", "20.5");
  check ("eff", "50.0%", "50");
  check ("cpus_used", "2", "2");
  check ("memory_used_percent", "75.0%", "75");
  check ("age", "10.25s", "10.25");
  check ("energy", "~31J", "31");
  check ("threads", "5", "5");
  check ("user", "alice", "alice");
  check ("state", "running", "running");
  check ("jobid", "1010_2", "1012");
}

static void
test_what_is_not_known_has_no_text_and_no_value (void)
{
  g_autoptr (JmSnapshot) snapshot = report_jobs_make_snapshot ();
  g_autoptr (GPtrArray) fields = jm_field_list ();

  for (guint i = 0; i < fields->len; i++)
    {
      const JmField *field = fields->pdata[i];
      g_autofree char *text = jm_field_to_string (field, snapshot, BARE_JOB);
      double value;

      if (field->source == JM_FIELD_SOURCE_METRIC)
        {
          g_assert_null (text);
          g_assert_false (jm_field_get_value (field, snapshot, BARE_JOB, &value));
        }
    }
}

static void
test_of_the_node_nobody_knows_who_it_is (void)
{
  g_autoptr (JmSnapshot) snapshot = report_jobs_make_snapshot ();
  g_autoptr (GPtrArray) fields = jm_field_list ();

  for (guint i = 0; i < fields->len; i++)
    {
      const JmField *field = fields->pdata[i];
      g_autofree char *text = jm_field_format (field, snapshot, JM_NODE_SUBJECT);

      if (field->source == JM_FIELD_SOURCE_IDENTITY)
        g_assert_null (text);
    }
}

static void
test_a_user_without_a_name_is_shown_by_number (void)
{
  g_autoptr (JmSnapshot) snapshot = report_jobs_make_snapshot ();
  const JmField *user = jm_field_of_identity (JM_JOB_FIELD_USER);
  g_autofree char *shown = jm_field_format (user, snapshot, BARE_JOB);

  g_assert_cmpstr (shown, ==, "1001");
  g_assert_null (jm_field_get_text (user, snapshot, BARE_JOB));
}

static void
test_what_is_not_known_comes_last_in_either_direction (void)
{
  g_autoptr (JmSnapshot) snapshot = report_jobs_make_snapshot ();
  const JmField *memory = jm_field_from_name ("mem");
  const JmField *account = jm_field_from_name ("account");

  g_assert_cmpint (jm_field_compare (memory, snapshot, JOB, BARE_JOB, FALSE), <, 0);
  g_assert_cmpint (jm_field_compare (memory, snapshot, JOB, BARE_JOB, TRUE), <, 0);
  g_assert_cmpint (jm_field_compare (account, snapshot, BARE_JOB, JOB, FALSE), >, 0);
  g_assert_cmpint (jm_field_compare (account, snapshot, BARE_JOB, JOB, TRUE), >, 0);
}

static void
assert_needs (const JmField *self, const JmCollectorSet *expected)
{
  JmCollectorSet needed = { { 0 } };

  jm_field_add_collectors (self, &needed);
  g_assert_true (jm_collector_set_equal (&needed, expected));
}

static void
test_what_a_field_needs_to_be_read_is_known (void)
{
  assert_needs (jm_field_from_name ("user"), &(JmCollectorSet){ { 0 } });
  assert_needs (jm_field_from_name ("mem"), JM_COLLECTOR_SET (JM_COLLECTOR_MEMORY));
  assert_needs (jm_field_from_name ("eff"),
                JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_PROCESS));
  assert_needs (jm_field_from_name ("memory_swap_used_bytes"),
                JM_COLLECTOR_SET (JM_COLLECTOR_MEMORY, JM_COLLECTOR_MEMORY_STAT));
  assert_needs (jm_field_from_name ("energy"),
                JM_COLLECTOR_SET (JM_COLLECTOR_POWER, JM_COLLECTOR_PROCESS));
  assert_needs (jm_field_from_name ("co2"),
                JM_COLLECTOR_SET (JM_COLLECTOR_POWER, JM_COLLECTOR_PROCESS,
                                  JM_COLLECTOR_EMISSIONS));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/report/field/every-field-is-found-by-its-names-and-its-title",
                   test_every_field_is_found_by_its_names_and_its_title);
  g_test_add_func ("/report/field/people-read-units-and-programs-base-units",
                   test_people_read_units_and_programs_base_units);
  g_test_add_func ("/report/field/what-is-not-known-has-no-text-and-no-value",
                   test_what_is_not_known_has_no_text_and_no_value);
  g_test_add_func ("/report/field/of-the-node-nobody-knows-who-it-is",
                   test_of_the_node_nobody_knows_who_it_is);
  g_test_add_func ("/report/field/a-user-without-a-name-is-shown-by-number",
                   test_a_user_without_a_name_is_shown_by_number);
  g_test_add_func ("/report/field/what-is-not-known-comes-last-in-either-direction",
                   test_what_is_not_known_comes_last_in_either_direction);
  g_test_add_func ("/report/field/what-a-field-needs-to-be-read-is-known",
                   test_what_a_field_needs_to_be_read_is_known);

  return g_test_run ();
}
