/* test-jmc-child.c: which commands have a chance to begin
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "run/jmc-child.h"

#include <glib/gstdio.h>

static gboolean
can_become_script (const char *text, int mode)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  gboolean can;
  int fd = g_file_open_tmp ("jm-child-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_chmod (path, mode), ==, 0);
  can = jmc_child_can_become (path);
  g_unlink (path);

  return can;
}

static void
test_a_program_has_to_be_found (void)
{
  g_assert_true (jmc_child_can_become ("sh"));
  g_assert_true (jmc_child_can_become ("/bin/sh"));
  g_assert_false (jmc_child_can_become ("no-such-program"));
  g_assert_false (jmc_child_can_become ("/nowhere/command"));
  g_assert_false (jmc_child_can_become ("/"));
}

static void
test_a_script_needs_what_runs_it (void)
{
  g_assert_true (can_become_script ("#! /bin/sh -e\n", 0700));
  g_assert_true (can_become_script ("echo sh runs this\n", 0700));
  g_assert_true (can_become_script ("", 0700));
  g_assert_false (can_become_script ("#!/bin/sh\n", 0600));
  g_assert_false (can_become_script ("#!/nowhere/interpreter\n", 0700));
  g_assert_false (can_become_script ("#!/bin/sh\r\n", 0700));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cli/child/a-program-has-to-be-found",
                   test_a_program_has_to_be_found);
  g_test_add_func ("/cli/child/a-script-needs-what-runs-it",
                   test_a_script_needs_what_runs_it);

  return g_test_run ();
}
