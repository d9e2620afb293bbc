/* test-pull-targets.c: lists of nodes whose ledgers are read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "archive/import/jm-pull-targets-private.h"
#include "base/jm-error.h"

static void
assert_target (GPtrArray *targets,
               guint i,
               const char *cluster,
               const char *node,
               const char *url)
{
  const JmPullTarget *target = targets->pdata[i];

  g_assert_cmpstr (target->cluster, ==, cluster);
  g_assert_cmpstr (target->node, ==, node);
  g_assert_cmpstr (target->url, ==, url);
}

static void
test_file (void)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", "pull-targets", "nodes.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) targets = jm_pull_targets_read (path, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (targets->len, ==, 3);
  assert_target (targets, 0, "alpha", "n1", "http://n1:9010/ledger");
  assert_target (targets, 1, "beta", "fd00::7", "https://[fd00::7]:9010/ledger");
  assert_target (targets, 2, "beta", "n3.example.org",
                 "https://n3.example.org:9010/ledger");
}

static void
test_refusals (void)
{
  static const struct
  {
    const char *text;
    const char *why;
  } cases[] = {
    { "", "no list" },
    { "{}", "no list" },
    { "[7]", "without a list of targets" },
    { "[{}]", "without a list of targets" },
    { "[{\"targets\": \"n1:9010\"}]", "without a list of targets" },
    { "[{\"targets\": [7], \"labels\": {\"cluster\": \"a\"}}]", "no text" },
    { "[{\"targets\": [\"\"], \"labels\": {\"cluster\": \"a\"}}]", "no HOST:PORT" },
    { "[{\"targets\": [\"n1/x?\"], \"labels\": {\"cluster\": \"a\"}}]", "n1/x?" },
    { "[{\"targets\": [\"u@n1:1\"], \"labels\": {\"cluster\": \"a\"}}]", "u@n1:1" },
    { "[{\"targets\": [\"n1:9010\"]}]", "without the label cluster" },
    { "[{\"targets\": [\"n1:1\"], \"labels\": {\"cluster\": \"a\", \"__scheme__\": "
      "\"ftp\"}}]",
      "ftp" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (jm_pull_targets_parse ("nodes.json", cases[i].text,
                                            strlen (cases[i].text), &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, "nodes.json"));
      g_assert_nonnull (strstr (error->message, cases[i].why));
    }
}

static void
test_no_file (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_pull_targets_read ("/no/such/file", &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "/no/such/file"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pull-targets/are-those-of-the-file", test_file);
  g_test_add_func ("/pull-targets/that-are-invalid-are-named", test_refusals);
  g_test_add_func ("/pull-targets/of-no-file-are-none", test_no_file);

  return g_test_run ();
}
