/* test-moment.c: moments as people type them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-error.h"
#include "base/jm-moment-private.h"

/* It is Sunday afternoon, an hour east of Greenwich. */
static GDateTime *
make_now (void)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_offset (3600);

  return g_date_time_new (zone, 2026, 11, 22, 15, 30, 20.5);
}

static void
check (const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDateTime) now = make_now ();
  g_autoptr (GDateTime) moment = NULL;
  g_autofree char *shown = NULL;
  gint64 time_us;

  g_assert_true (jm_moment_parse (text, now, &time_us, &error));
  g_assert_no_error (error);
  moment = g_date_time_new_from_unix_utc (time_us / G_USEC_PER_SEC);
  shown = g_date_time_format (moment, "%Y-%m-%d %H:%M:%S");
  g_assert_cmpstr (shown, ==, expected);
}

static void
test_a_date_is_its_first_moment (void)
{
  check ("2026-11-22", "2026-11-21 23:00:00");
  check ("today", "2026-11-21 23:00:00");
  check ("yesterday", "2026-11-20 23:00:00");
}

static void
test_a_time_is_of_the_zone_or_of_its_own (void)
{
  check ("2026-11-22 10:00", "2026-11-22 09:00:00");
  check ("2026-11-22T10:00:30", "2026-11-22 09:00:30");
  check ("2026-11-22T10:00:30Z", "2026-11-22 10:00:30");
  check ("2026-11-22 10:00+05:30", "2026-11-22 04:30:00");
  check ("10:00", "2026-11-22 09:00:00");
  check ("10:00:01", "2026-11-22 09:00:01");
  check ("today 10:00", "2026-11-22 09:00:00");
  check ("yesterday 14:00", "2026-11-21 13:00:00");
  check ("@1795341600", "2026-11-22 10:00:00");
}

static void
test_what_is_relative_counts_from_now (void)
{
  check ("now", "2026-11-22 14:30:20");
  check ("-1d", "2026-11-21 14:30:20");
  check ("-1h30m", "2026-11-22 13:00:20");
  check ("now-2hours", "2026-11-22 12:30:20");
  check ("2h ago", "2026-11-22 12:30:20");
  check ("1 week 2 days ago", "2026-11-13 14:30:20");
}

static void
test_a_week_begins_on_monday_and_a_month_on_its_first (void)
{
  check ("this week", "2026-11-15 23:00:00");
  check ("last week", "2026-11-08 23:00:00");
  check ("this month", "2026-10-31 23:00:00");
  check ("last month", "2026-09-30 23:00:00");
}

static void
test_what_is_no_moment_is_quoted (void)
{
  static const char *const texts[] = {
    "",
    "soon",
    "2h",
    "1d ago!",
    "2026-13-01",
    "-",
    "-1",
    "-1y",
    "2026-11-22 25:00",
    "2026-11-22 1000",
    "now-",
    "yesterday ",
    "yesterday 25:00",
    "yesterday14:00",
    "todays",
    "last",
    "last year",
    "this weeks",
    "10:61",
    "2026-11-22x",
    "@",
    "@-5",
    "-0x10s",
    "-1e9999d",
    "ago",
    "-9999999999999w",
    "now ago",
    "2026-1",
    "2026-11-22T",
    "2026-11-22 ",
  };
  g_autoptr (GDateTime) now = make_now ();

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *quoted = g_strdup_printf ("'%s' is not a time", texts[i]);
      gint64 time_us;

      g_assert_false (jm_moment_parse (texts[i], now, &time_us, &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      g_assert_true (g_str_has_prefix (error->message, quoted));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/moment/a-date-is-its-first-moment",
                   test_a_date_is_its_first_moment);
  g_test_add_func ("/moment/a-time-is-of-the-zone-or-of-its-own",
                   test_a_time_is_of_the_zone_or_of_its_own);
  g_test_add_func ("/moment/what-is-relative-counts-from-now",
                   test_what_is_relative_counts_from_now);
  g_test_add_func ("/moment/a-week-begins-on-monday-and-a-month-on-its-first",
                   test_a_week_begins_on_monday_and_a_month_on_its_first);
  g_test_add_func ("/moment/what-is-no-moment-is-quoted",
                   test_what_is_no_moment_is_quoted);

  return g_test_run ();
}
