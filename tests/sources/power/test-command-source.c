/* test-command-source.c: power and energy, from a program of the site
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/power/jm-power-types-private.h"

#include <string.h>

#include "answers.h"
#include "base/jm-error.h"
#include "tree.h"

#define SHORT_S 0.05

static JmCommandSource *
open_source (const char *command)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  JmCommandSource *source = g_initable_new (JM_TYPE_COMMAND_SOURCE, NULL, &error,
                                            "host", host, "command", command, NULL);

  g_assert_no_error (error);

  return source;
}

static void
test_what_a_command_prints_is_reported (void)
{
  g_autoptr (JmCommandSource) source =
    open_source ("printf 'node 312.5 W\\ndram-0 7 J\\n'");
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (answers_wait (source));
  g_assert_true (answers_read (readings, source, &error));
  g_assert_no_error (error);
  assert_power (readings, "node", 312500000);
  assert_energy (readings, "dram-0", 0);
}

static void
test_nonsense_is_quoted (void)
{
  g_autoptr (JmCommandSource) source = open_source ("echo all is well");
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (answers_wait (source));
  g_assert_false (answers_read (readings, source, &error));
  assert_says (error, JM_ERROR_MALFORMED, "echo: a unit is W");
  g_assert_nonnull (strstr (error->message, "all is well"));
}

static void
test_a_command_that_hangs_is_given_up (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCommandSource) source =
    g_initable_new (JM_TYPE_COMMAND_SOURCE, NULL, &error, "host", host, "command",
                    "sleep 1000", "timeout", SHORT_S, NULL);

  g_assert_no_error (error);
  g_assert_false (answers_read (readings, source, &error));
  assert_says (error, JM_ERROR_UNAVAILABLE, "sleep: no answer yet");
  g_clear_error (&error);
  g_assert_true (answers_wait (source));
  g_assert_false (answers_read (readings, source, &error));
  assert_says (error, JM_ERROR_UNAVAILABLE, "sleep: has not ended in time");
}

/* A meter that counts ten joules more each time it is asked. */
static void
test_a_counter_is_followed_from_run_to_run (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = tree_path (tree, "count");
  g_autofree char *command =
    g_strdup_printf ("sh -c 'echo x >> %s; expr $(wc -l < %s) \\* 10'", path, path);
  g_autoptr (JmCommandSource) source =
    g_initable_new (JM_TYPE_COMMAND_SOURCE, NULL, &error, "host", host, "command",
                    command, "interval", SHORT_S, "unit", "J", NULL);
  gint64 end_us = g_get_monotonic_time () + ANSWERS_PATIENCE_US;
  guint64 energy_uj = 0;

  g_assert_no_error (error);
  g_assert_true (answers_wait (source));
  while (energy_uj < 20000000)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      /* a slow machine may make it too old */
      if (answers_read (readings, source, NULL))
        {
          guint64 now_uj = answers_get (readings, JM_METRIC_NODE_ENERGY, "node");

          g_assert_cmpuint (now_uj, >=, energy_uj);
          g_assert_cmpuint (now_uj % 10000000, ==, 0);
          energy_uj = now_uj;
        }
      g_usleep (1000);
    }
}

static void
assert_cannot_be_opened (const char *root,
                         const char *command,
                         JmError code,
                         const char *words)
{
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCommandSource) source =
    g_initable_new (JM_TYPE_COMMAND_SOURCE, NULL, &error, "host", host, "command",
                    command, NULL);

  g_assert_null (source);
  assert_says (error, code, words);
}

static void
test_what_cannot_be_run_is_said_at_once (void)
{
  g_autoptr (Tree) tree = tree_new ();

  assert_cannot_be_opened (NULL, NULL, JM_ERROR_INVALID, "command: which one");
  assert_cannot_be_opened (NULL, "echo 'one", JM_ERROR_INVALID, "echo 'one");
  assert_cannot_be_opened (NULL, "/no/such/meter", JM_ERROR_ABSENT, "/no/such/meter: ");
  assert_cannot_be_opened (tree->root, "echo 5", JM_ERROR_ABSENT, "copied tree");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/command-source/what-a-command-prints-is-reported",
                   test_what_a_command_prints_is_reported);
  g_test_add_func ("/command-source/nonsense-is-quoted", test_nonsense_is_quoted);
  g_test_add_func ("/command-source/a-command-that-hangs-is-given-up",
                   test_a_command_that_hangs_is_given_up);
  g_test_add_func ("/command-source/a-counter-is-followed-from-run-to-run",
                   test_a_counter_is_followed_from_run_to_run);
  g_test_add_func ("/command-source/what-cannot-be-run-is-said-at-once",
                   test_what_cannot_be_run_is_said_at_once);

  return g_test_run ();
}
