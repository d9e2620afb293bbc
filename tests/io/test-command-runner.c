/* test-command-runner.c: what a program prints, within bounds
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "io/jm-command-runner-private.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "answers.h"
#include "base/jm-environment-private.h"
#include "base/jm-error.h"
#include "tree.h"

#define LONG_MS 60000
#define SHORT_MS 300

static JmCommandRunner *
open_runner (const char *command, guint timeout_ms)
{
  g_autoptr (GError) error = NULL;
  JmCommandRunner *runner = jm_command_runner_new (command, timeout_ms, &error);

  g_assert_no_error (error);

  return runner;
}

static char *
run (const char *command, guint timeout_ms, GError **error)
{
  g_autoptr (JmCommandRunner) runner = open_runner (command, timeout_ms);
  gsize length = 0;
  char *text = jm_command_runner_run (runner, NULL, &length, error);

  if (text != NULL)
    g_assert_cmpuint (length, ==, strlen (text));

  return text;
}

static void
assert_prints (const char *command, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = run (command, LONG_MS, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}

static void
assert_fails (const char *command, guint timeout_ms, JmError code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = run (command, timeout_ms, &error);

  g_assert_null (text);
  assert_says (error, code, words);
}

static void
assert_cannot_be_run (const char *command, JmError code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCommandRunner) runner = jm_command_runner_new (command, LONG_MS, &error);

  g_assert_null (runner);
  assert_says (error, code, words);
}

static void
test_what_a_command_prints_is_given (void)
{
  assert_prints ("echo 312", "312\n");
  assert_prints ("true", "");
  assert_prints ("sh -c 'echo 312; echo careful >&2'", "312\n");
}

static void
test_no_shell_runs_it (void)
{
  assert_prints ("printf '%s|' 'a b' \"c\" '$HOME' ';' '>x' '*'",
                 "a b|c|$HOME|;|>x|*|");
}

static void
test_a_command_that_cannot_be_split_is_said_to_be_wrong (void)
{
  assert_cannot_be_run ("ipmi-dcmi 'one", JM_ERROR_INVALID, "ipmi-dcmi 'one");
  assert_cannot_be_run ("", JM_ERROR_INVALID, "command: ");
  assert_cannot_be_run ("   ", JM_ERROR_INVALID, "command: ");
}

static void
test_a_program_that_is_not_there_is_absent (void)
{
  assert_cannot_be_run ("/no/such/program --now", JM_ERROR_ABSENT,
                        "/no/such/program: ");
  assert_cannot_be_run ("no-such-program-anywhere", JM_ERROR_ABSENT,
                        "no-such-program-anywhere: ");
  assert_cannot_be_run ("/etc/passwd", JM_ERROR_ABSENT, "/etc/passwd: ");
}

static void
test_a_program_that_vanishes_is_reported (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *path = tree_path (tree, "meter");
  g_autoptr (JmCommandRunner) runner = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  tree_write (tree, "meter", "#!/bin/sh\necho 312\n");
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
  runner = open_runner (path, LONG_MS);
  tree_remove (tree, "meter");

  g_assert_null (jm_command_runner_run (runner, NULL, &length, &error));
  assert_says (error, JM_ERROR_ABSENT, path);
}

static void
test_a_command_that_fails_is_quoted (void)
{
  assert_fails ("sh -c 'echo 312; echo no BMC >&2; echo more >&2; exit 3'", LONG_MS,
                JM_ERROR_UNAVAILABLE, "sh: exit status 3: no BMC");
  assert_fails ("sh -c 'exit 4'", LONG_MS, JM_ERROR_UNAVAILABLE, "sh: exit status 4");
  assert_fails ("sh -c 'kill -TERM $$'", LONG_MS, JM_ERROR_UNAVAILABLE,
                "sh: ended by signal 15");
  assert_fails ("sh -c 'printf \"\\a\\033[31mred\" >&2; exit 1'", LONG_MS,
                JM_ERROR_UNAVAILABLE, "exit status 1: \\007\\033[31mred");
}

/* Whether it still does something; a zombie does not. */
static gboolean
is_running (const char *pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/stat", pid);
  g_autofree char *text = NULL;
  const char *state;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;

  state = strrchr (text, ')');
  g_assert_nonnull (state);

  return state[2] != 'Z' && state[2] != 'X';
}

static void
await_end (const char *pid)
{
  gint64 end_us = g_get_monotonic_time () + ANSWERS_PATIENCE_US;

  while (is_running (pid))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (1000);
    }
}

/* The process id that a script wrote for us. */
static char *
get_pid (Tree *tree)
{
  g_autofree char *path = tree_path (tree, "pid");
  char *pid = NULL;

  g_assert_true (g_file_get_contents (path, &pid, NULL, NULL));
  g_strchomp (pid);
  g_assert_cmpstr (pid, !=, "");

  return pid;
}

static void
test_a_command_that_hangs_is_killed_with_its_children (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *path = tree_path (tree, "pid");
  g_autofree char *command =
    g_strdup_printf ("sh -c 'sleep 1000 & echo $! > %s; wait'", path);
  g_autofree char *pid = NULL;

  assert_fails (command, SHORT_MS * 3, JM_ERROR_UNAVAILABLE,
                "sh: has not ended in time");
  pid = get_pid (tree);
  await_end (pid);
}

static void
test_a_child_that_keeps_the_pipe_open_is_not_waited_for (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *path = tree_path (tree, "pid");
  g_autofree char *command =
    g_strdup_printf ("sh -c 'sleep 1000 & echo $! > %s; echo 312'", path);
  g_autofree char *pid = NULL;

  assert_prints (command, "312\n");
  pid = get_pid (tree);
  await_end (pid);
}

static void
test_a_command_that_closes_its_output_is_still_waited_for (void)
{
  assert_fails ("sh -c 'exec >&- 2>&-; sleep 0.1; exit 5'", LONG_MS,
                JM_ERROR_UNAVAILABLE, "sh: exit status 5");
}

static void
test_endless_output_is_cut_off (void)
{
  assert_fails ("yes", LONG_MS, JM_ERROR_TOO_LARGE, "yes: prints without end");
  assert_fails ("sh -c 'yes >&2'", SHORT_MS, JM_ERROR_UNAVAILABLE,
                "sh: has not ended in time");
}

static void
test_much_output_is_taken_whole (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = run ("sh -c 'yes 1 | head -c 65535'", LONG_MS, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (strlen (text), ==, 65535);
}

static void
test_it_has_nothing_to_read_and_speaks_the_c_locale (void)
{
  assert_prints ("cat", "");
  assert_prints ("sh -c 'echo $LC_ALL'", "C\n");
}

static void
test_who_cancels_does_not_wait (void)
{
  g_autoptr (JmCommandRunner) runner = open_runner ("sleep 1000", LONG_MS);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  gsize length;

  g_cancellable_cancel (cancellable);
  g_assert_null (jm_command_runner_run (runner, cancellable, &length, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static guint
count_open_files (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n_files = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir) != NULL)
    n_files++;

  return n_files;
}

static void
test_many_runs_leave_nothing_open (void)
{
  g_autoptr (JmCommandRunner) runner =
    open_runner ("sh -c 'echo 312; exit 1'", LONG_MS);
  guint n_files = 0;

  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (GError) error = NULL;
      gsize length;

      g_assert_null (jm_command_runner_run (runner, NULL, &length, &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
      if (i == 0)
        n_files = count_open_files ();
    }

  g_assert_cmpuint (count_open_files (), ==, n_files);
}

/* What is whole ends in `;`, what is not in `...`. */
static void
note_line (const char *line, gsize length, gboolean is_whole, gpointer data)
{
  GString *text = data;

  if (length > 16)
    g_string_append_printf (text, "%zu bytes", length);
  else
    g_string_append_len (text, line, (gssize) length);
  g_string_append (text, is_whole ? ";" : "...");
}

static gboolean
read_lines (const char *script,
            guint timeout_ms,
            gsize max_bytes,
            GString *text,
            GError **error)
{
  const char *const argv[] = { "sh", "-c", script, NULL };
  const char *const kept[] = { "JM_TEST_KEPT", NULL };
  g_auto (GStrv) environment = jm_command_make_environment (kept);
  g_autoptr (JmCommandRunner) runner =
    jm_command_runner_new_with_argv (NULL, argv, (const char *const *) environment,
                                     timeout_ms, error);

  g_assert_nonnull (runner);

  return jm_command_runner_read_lines (runner, max_bytes, note_line, text, NULL, error);
}

static void
assert_lines (const char *script, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  read_lines (script, LONG_MS, 1 << 20, text, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_lines_are_handed_on (void)
{
  assert_lines ("true", "");
  assert_lines ("printf 'a b\\n\\nc\\n'", "a b;;c;");
  assert_lines ("printf a; sleep 0.1; printf 'b\\nc\\n'; echo careful >&2", "ab;c;");
}

static void
test_a_line_without_its_end_is_reported (void)
{
  assert_lines ("printf 'a\\nb'", "a;b...");
}

static void
test_a_line_that_is_too_long_costs_that_line (void)
{
  assert_lines ("head -c 200000 /dev/zero | tr '\\0' x; printf '\\nb\\n'",
                "65536 bytes...b;");
  assert_lines ("head -c 65536 /dev/zero | tr '\\0' x; printf '\\nb\\n'",
                "65536 bytes;b;");
  assert_lines ("head -c 65537 /dev/zero | tr '\\0' x", "65536 bytes...");
}

static void
assert_no_lines (const char *script, guint timeout_ms, JmError code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_false (read_lines (script, timeout_ms, 1 << 20, text, &error));
  assert_says (error, code, words);
}

static void
test_lines_of_one_that_does_not_end_well_are_not_believed (void)
{
  assert_no_lines ("echo a; echo no controller >&2; exit 1", LONG_MS,
                   JM_ERROR_UNAVAILABLE, "sh: exit status 1: no controller");
  assert_no_lines ("echo a; sleep 1000", SHORT_MS, JM_ERROR_UNAVAILABLE, "in time");
  assert_no_lines ("yes", LONG_MS, JM_ERROR_TOO_LARGE, "without end");
}

static void
test_it_gets_no_environment_but_what_is_kept (void)
{
  g_setenv ("JM_TEST_KEPT", "k", TRUE);
  g_setenv ("SQUEUE_FORMAT", "%i", TRUE);
  assert_lines ("echo $JM_TEST_KEPT,$SQUEUE_FORMAT,$LC_ALL,$TZ", "k,,C,UTC;");
  g_unsetenv ("SQUEUE_FORMAT");
  g_unsetenv ("JM_TEST_KEPT");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/command-runner/what-a-command-prints-is-given",
                   test_what_a_command_prints_is_given);
  g_test_add_func ("/command-runner/no-shell-runs-it", test_no_shell_runs_it);
  g_test_add_func ("/command-runner/a-command-that-cannot-be-split-is-said-to-be-wrong",
                   test_a_command_that_cannot_be_split_is_said_to_be_wrong);
  g_test_add_func ("/command-runner/a-program-that-is-not-there-is-absent",
                   test_a_program_that_is_not_there_is_absent);
  g_test_add_func ("/command-runner/a-program-that-vanishes-is-reported",
                   test_a_program_that_vanishes_is_reported);
  g_test_add_func ("/command-runner/a-command-that-fails-is-quoted",
                   test_a_command_that_fails_is_quoted);
  g_test_add_func ("/command-runner/a-command-that-hangs-is-killed-with-its-children",
                   test_a_command_that_hangs_is_killed_with_its_children);
  g_test_add_func ("/command-runner/a-child-that-keeps-the-pipe-open-is-not-waited-for",
                   test_a_child_that_keeps_the_pipe_open_is_not_waited_for);
  g_test_add_func ("/command-runner/"
                   "a-command-that-closes-its-output-is-still-waited-for",
                   test_a_command_that_closes_its_output_is_still_waited_for);
  g_test_add_func ("/command-runner/endless-output-is-cut-off",
                   test_endless_output_is_cut_off);
  g_test_add_func ("/command-runner/much-output-is-taken-whole",
                   test_much_output_is_taken_whole);
  g_test_add_func ("/command-runner/it-has-nothing-to-read-and-speaks-the-c-locale",
                   test_it_has_nothing_to_read_and_speaks_the_c_locale);
  g_test_add_func ("/command-runner/who-cancels-does-not-wait",
                   test_who_cancels_does_not_wait);
  g_test_add_func ("/command-runner/many-runs-leave-nothing-open",
                   test_many_runs_leave_nothing_open);

  g_test_add_func ("/command-runner/lines-are-handed-on", test_lines_are_handed_on);
  g_test_add_func ("/command-runner/a-line-without-its-end-is-reported",
                   test_a_line_without_its_end_is_reported);
  g_test_add_func ("/command-runner/a-line-that-is-too-long-costs-that-line",
                   test_a_line_that_is_too_long_costs_that_line);
  g_test_add_func ("/command-runner/"
                   "lines-of-one-that-does-not-end-well-are-not-believed",
                   test_lines_of_one_that_does_not_end_well_are_not_believed);
  g_test_add_func ("/command-runner/it-gets-no-environment-but-what-is-kept",
                   test_it_gets_no_environment_but_what_is_kept);

  return g_test_run ();
}
