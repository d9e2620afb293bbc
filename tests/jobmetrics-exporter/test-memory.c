/* test-memory.c: what the start of the daemon needed, and nothing else
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "daemon/jme-daemon.h"

#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>

/* Of the pages of files, which are resident. */
static guint64
get_file_kib (void)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  const char *found;

  g_file_get_contents ("/proc/self/status", &text, NULL, &error);
  g_assert_no_error (error);
  found = strstr (text, "RssFile:");
  g_assert_nonnull (found);

  return g_ascii_strtoull (found + strlen ("RssFile:"), NULL, 10);
}

static void
test_a_program_goes_on_with_less_memory (void)
{
  g_autoptr (GRegex) regex = g_regex_new ("^a+$", 0, 0, NULL);
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (0);
  g_autofree char *text = NULL;
  guint64 before_kib = get_file_kib ();

  jme_memory_forget_start ();
  g_assert_cmpuint (get_file_kib (), <, before_kib);

  g_assert_true (g_regex_match (regex, "aaa", 0, NULL));
  text = g_date_time_format_iso8601 (time);
  g_assert_cmpstr (text, ==, "1970-01-01T00:00:00Z");
  jme_memory_forget_start ();
  g_assert_cmpstr (g_getenv ("PATH"), ==, getenv ("PATH"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/memory/a-program-goes-on-with-less-memory",
                   test_a_program_goes_on_with_less_memory);

  return g_test_run ();
}
