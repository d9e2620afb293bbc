/* test-ipmi-lan.c: a node's power, from a BMC that FreeIPMI asks over LAN
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * usage: test-ipmi-lan BMC [MODULE]
 */

#include <gio/gio.h>
#include <signal.h>
#include <string.h>

#include "answers.h"
#include "base/jm-error.h"
#include "sources/power/jm-power-types-private.h"
#include "tree.h"

/* ipmi-dcmi needs a second for each question. */
#define INTERVAL_S 2.0

typedef struct
{
  const char *script;
  const char *module; /* NULL where it was not built */
} Parts;

typedef struct
{
  Tree *tree;
  GSubprocess *process;
  char *command;
} Bmc;

static void
set_watts (Tree *tree, const char *text)
{
  g_autofree char *path = tree_path (tree, "watts");

  /* renamed into place: the BMC may read at any moment */
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static char *
read_value (GDataInputStream *stream, const char *key)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *line = g_data_input_stream_read_line (stream, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (line);
  g_assert_true (g_str_has_prefix (line, key));

  return g_strdup (line + strlen (key));
}

static Bmc *
bmc_new (const Parts *parts, const char *watts)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDataInputStream) stream = NULL;
  g_autofree char *path = NULL;
  g_autofree char *port = NULL;
  Bmc *self = g_new0 (Bmc, 1);

  self->tree = tree_new ();
  set_watts (self->tree, watts);
  path = tree_path (self->tree, "watts");
  self->process =
    g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, parts->script, "--module",
                      parts->module, path, NULL);
  g_assert_no_error (error);

  stream = g_data_input_stream_new (g_subprocess_get_stdout_pipe (self->process));
  g_filter_input_stream_set_close_base_stream (G_FILTER_INPUT_STREAM (stream), FALSE);
  port = read_value (stream, "port ");
  self->command = read_value (stream, "command ");

  return self;
}

static void
bmc_free (Bmc *self)
{
  g_subprocess_send_signal (self->process, SIGTERM);
  g_assert_true (g_subprocess_wait (self->process, NULL, NULL));
  g_assert_true (g_subprocess_get_successful (self->process));

  g_object_unref (self->process);
  tree_free (self->tree);
  g_free (self->command);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Bmc, bmc_free)

static gboolean
is_fit (const Parts *parts)
{
  g_autofree char *simulator = g_find_program_in_path ("ipmi_sim");
  g_autofree char *program = g_find_program_in_path ("/usr/sbin/ipmi-dcmi");

  if (parts->module != NULL && simulator != NULL && program != NULL)
    return TRUE;

  g_test_skip ("no simulated BMC without openipmi, libopenipmi-dev and freeipmi-tools");
  return FALSE;
}

static JmIpmiCommandSource *
open_source (Bmc *bmc)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  JmIpmiCommandSource *source =
    g_initable_new (JM_TYPE_IPMI_COMMAND_SOURCE, NULL, &error, "host", host, "command",
                    bmc->command, "interval", INTERVAL_S, "timeout", 30.0, NULL);

  g_assert_no_error (error);
  g_assert_true (answers_wait (source));

  return source;
}

static void
await_power (JmIpmiCommandSource *source, JmReadings *readings, guint64 power_uw)
{
  gint64 end_us = g_get_monotonic_time () + ANSWERS_PATIENCE_US;

  while (!answers_read (readings, source, NULL) ||
         answers_get (readings, JM_METRIC_NODE_POWER, "node") != power_uw)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (10000);
    }
}

static void
test_the_power_of_a_bmc_is_followed (gconstpointer user_data)
{
  const Parts *parts = user_data;
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (GError) error = NULL;

  if (is_fit (parts))
    {
      g_autoptr (Bmc) bmc = bmc_new (parts, "312\n");
      g_autoptr (JmIpmiCommandSource) source = open_source (bmc);

      g_assert_true (answers_read (readings, source, &error));
      g_assert_no_error (error);
      assert_power (readings, "node", 312000000);

      set_watts (bmc->tree, "498\n");
      await_power (source, readings, 498000000);
    }
}

static void
assert_refused (const Parts *parts, const char *watts, const char *words)
{
  g_autoptr (Bmc) bmc = bmc_new (parts, watts);
  g_autoptr (JmIpmiCommandSource) source = open_source (bmc);
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (GError) error = NULL;

  g_assert_false (answers_read (readings, source, &error));
  assert_says (error, JM_ERROR_UNAVAILABLE, words);
}

static void
test_a_bmc_that_has_nothing_to_report_is_quoted (gconstpointer user_data)
{
  const Parts *parts = user_data;

  if (is_fit (parts))
    {
      assert_refused (parts, "312 inactive\n", "not active: Not Available");
      assert_refused (parts, "0\n", "0 Watts is no reading");
      assert_refused (parts, "refuses\n",
                      "exit status 1: ipmi_cmd_dcmi_get_power_reading");
    }
}

int
main (int argc, char **argv)
{
  Parts parts;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, >=, 2);
  parts = (Parts){ argv[1], argc > 2 ? argv[2] : NULL };

  g_test_add_data_func ("/ipmi-lan/the-power-of-a-bmc-is-followed", &parts,
                        test_the_power_of_a_bmc_is_followed);
  g_test_add_data_func ("/ipmi-lan/a-bmc-that-has-nothing-to-report-is-quoted", &parts,
                        test_a_bmc_that_has_nothing_to_report_is_quoted);

  return g_test_run ();
}
