/* main.c: jobmetrics-exporter, the daemon that Prometheus scrapes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>

#include "jme-config.h"
#include "node/jme-node.h"

static const char usage[] =
  "usage: jobmetrics-exporter [node] [OPTION…]\n"
  "\n"
  "Roles:\n"
  "  node     shows the jobs of this node (the default)\n"
  "\n"
  "jobmetrics-exporter node --help lists the options; --version prints the version.\n";

/* Two threads in one arena: a second one costs more memory than it saves time. */
static void
keep_memory_small (void)
{
  mallopt (M_ARENA_MAX, 1);
  mallopt (M_TRIM_THRESHOLD, 256 * 1024);
  mallopt (M_MMAP_THRESHOLD, 256 * 1024);
}

static int
run_node (char **arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmeOptions) options = jme_options_parse (arguments, &error);

  if (options == NULL)
    {
      g_printerr ("jobmetrics-exporter: %s\n", error->message);
      return JME_EXIT_USAGE;
    }

  jme_log_install (options->log_level, options->log_format);

  return jme_node_run (options);
}

int
main (int argc, char **argv)
{
  setlocale (LC_CTYPE, "");
  signal (SIGPIPE, SIG_IGN);
  keep_memory_small ();

  if (argc > 1 && g_str_equal (argv[1], "--version"))
    {
      g_print ("jobmetrics-exporter " JME_VERSION "\n");
      return 0;
    }
  if (argc > 1 && (g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h")))
    {
      g_print ("%s", usage);
      return 0;
    }
  if (argc > 1 && g_str_equal (argv[1], "node"))
    return run_node (argv + 1);
  if (argc == 1 || argv[1][0] == '-')
    return run_node (argv);

  g_printerr ("jobmetrics-exporter: no such role: %s\n\n%s", argv[1], usage);

  return JME_EXIT_USAGE;
}
