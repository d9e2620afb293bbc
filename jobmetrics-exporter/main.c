/* main.c: jobmetrics-exporter, the daemon that Prometheus scrapes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <locale.h>
#include <malloc.h>
#include <signal.h>

#include "daemon/jme-daemon.h"
#include "jm-portable.h"
#include "jme-config.h"
#include "jme-roles.h"

/* A role is a folder and a row; the first is taken where none is named. */
static const JmeRole *const roles[] = { &jme_node_role, &jme_cluster_role,
                                        &jme_server_role };

static char *
make_usage (void)
{
  g_autofree char *list = jme_role_list (roles, G_N_ELEMENTS (roles));

  return g_strdup_printf ("usage: jobmetrics-exporter [ROLE] [OPTION…]\n"
                          "\n"
                          "Roles:\n"
                          "%s"
                          "\n"
                          "jobmetrics-exporter ROLE --help lists the options; "
                          "--version prints the version.\n",
                          list);
}

/* Two threads in one arena: a second one costs more memory than it saves time. */
static void
keep_memory_small (void)
{
  mallopt (M_ARENA_MAX, 1);
  mallopt (M_TRIM_THRESHOLD, 256 * 1024);
  mallopt (M_MMAP_THRESHOLD, 256 * 1024);
}

/* Prints what the program is, where that was asked. */
static gboolean
present (const char *option)
{
  g_autofree char *usage = make_usage ();

  if (g_str_equal (option, "--version"))
    g_print ("jobmetrics-exporter " JME_VERSION "\n%s", jm_portable_contents ());
  else if (g_str_equal (option, "--help") || g_str_equal (option, "-h"))
    g_print ("%s", usage);
  else
    return FALSE;

  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autofree char *usage = NULL;
  const JmeRole *role;

  setlocale (LC_CTYPE, "");
  signal (SIGPIPE, SIG_IGN);
  signal (SIGHUP, SIG_IGN); /* until the daemon listens to it */
  keep_memory_small ();
  jm_portable_begin ();

  if (argc > 1 && present (argv[1]))
    return 0;
  if (argc == 1 || argv[1][0] == '-')
    return jme_daemon_run (roles[0], argv);

  role = jme_role_find (roles, G_N_ELEMENTS (roles), argv[1]);
  if (role != NULL)
    return jme_daemon_run (role, argv + 1);

  usage = make_usage ();
  g_printerr ("jobmetrics-exporter: no such role: %s\n\n%s", argv[1], usage);

  return JME_EXIT_USAGE;
}
