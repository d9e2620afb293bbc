/* main.c: jobmetrics-cli, what the batch jobs of this node use
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <locale.h>

#include <string.h>

#include "hook/jmc-hook.h"
#include "jm-portable.h"
#include "jmc-commands.h"
#include "jmc-help.h"
#include "jmc-options.h"
#include "jmc-output.h"
#include "mail/jmc-mail-command.h"

#define HOOK "hook"

typedef struct
{
  const char *name;
  const char *summary;
  int (*run) (int argc, char **argv);
} Command;

static const Command commands[] = {
  { "list", "table of the jobs on this node", jmc_list_main },
  { "show", "all figures of jobs on this node", jmc_show_main },
  { "ledger", "records of running and ended jobs on this node", jmc_ledger_main },
  { "top", "live view of the jobs on this node", jmc_top_main },
  { "power", "power of this node, and the share of each job", jmc_power_main },
  { "gpus", "accelerators of this node, and their jobs", jmc_gpus_main },
  { "queue", "waiting and running jobs of a cluster", jmc_queue_main },
  { "nodes", "nodes of a cluster: state, free CPUs, reasons", jmc_nodes_main },
  { "partitions", "running, waiting and free by partition", jmc_partitions_main },
  { "shares", "fair shares and limits of accounts and users", jmc_shares_main },
  { "history", "past runs of a site, from its archive", jmc_history_main },
  { "job", "all figures of one run, from a site's archive", jmc_job_main },
  { "report", "efficiency report and advice for one job (like seff)", jmc_report_main },
  { "compare", "two to six runs side by side", jmc_compare_main },
  { "keep", "keep a job from being ended because it is idle", jmc_keep_main },
  { "suggest", "what the next run of a job should ask for", jmc_suggest_main },
  { "usage", "sums by user, account or day", jmc_usage_main },
  { "waste", "what runs were given and did not use", jmc_waste_main },
  { "import", "import files of accounting into a site's archive", jmc_import_main },
  { "store", "maintain a site's archive: check, backup, vacuum", jmc_store_main },
  { "emissions", "emission factors of electricity, by provider", jmc_emissions_main },
  { "metrics", "print the metrics of this node, without a daemon", jmc_metrics_main },
  { "run", "run a command as a job and report what it used", jmc_run_main },
  { "trace", "run a command and report its usage to an exporter", jmc_trace_main },
  { "doctor", "check this node: what is missing, how to fix it", jmc_doctor_main },
  { "mail", "add job reports to a scheduler's mails", jmc_mail_command_main },
  { "alert", "mail owners of running jobs what they should change",
    jmc_mail_command_main },
  { HOOK, "record a job's identity in prolog and epilog", jmc_hook_main },
};

/* What the library warns of reads like what we say ourselves. */
static GLogWriterOutput
write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  if ((level & G_LOG_LEVEL_MASK) != G_LOG_LEVEL_WARNING)
    return g_log_writer_default (level, fields, n_fields, data);

  for (gsize i = 0; i < n_fields; i++)
    if (g_str_equal (fields[i].key, "MESSAGE"))
      jmc_output_complain ("%.*s", fields[i].length < 0 ? -1 : (int) fields[i].length,
                           (const char *) fields[i].value);

  return G_LOG_WRITER_HANDLED;
}

static char *
describe_commands (void)
{
  GString *text = g_string_new ("Commands:");

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    g_string_append_printf (text, "\n  %-10s %s", commands[i].name,
                            commands[i].summary);
  g_string_append (text, "\n\n'jobmetrics-cli help COMMAND' describes each.");

  return g_string_free (text, FALSE);
}

static const Command *
find_command (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i].name, name))
      return &commands[i];

  return NULL;
}

static gboolean
parse (int *argc, char ***argv, gboolean *version)
{
  const GOptionEntry entries[] = {
    { "version", 0, 0, G_OPTION_ARG_NONE, version, "Print the version", NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("COMMAND …");
  g_autofree char *description = describe_commands ();

  g_option_context_set_summary (context, "Shows what the batch jobs of this node use.");
  g_option_context_set_description (context, description);
  g_option_context_add_main_entries (context, entries, NULL);
  /* what comes after the command is the command's */
  g_option_context_set_strict_posix (context, TRUE);

  return jmc_options_parse (NULL, context, argc, argv);
}

static int
refuse_command (const char *typed)
{
  const char *names[G_N_ELEMENTS (commands) + 1] = { NULL };
  const char *similar;

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    names[i] = commands[i].name;
  similar = jmc_help_find_similar (typed, names);
  if (similar != NULL)
    jmc_output_complain ("%s: no such command (did you mean %s?)", typed, similar);
  else
    jmc_output_complain ("%s: no such command (see jobmetrics-cli --help)", typed);

  return JMC_EXIT_USAGE;
}

static int
run_command (int argc, char **argv)
{
  const Command *command = find_command (argv[0]);
  g_autofree char *program = NULL;

  if (command == NULL)
    return refuse_command (argv[0]);

  program = g_strconcat ("jobmetrics-cli ", command->name, NULL);
  g_set_prgname (program);

  return command->run (argc, argv);
}

/* `help report` is `report --help`, and `help` is `--help`. */
static void
take_help (int argc, char **argv)
{
  if (argc < 2 || argc > 3 || strcmp (argv[1], "help") != 0)
    return;

  if (argc == 3)
    argv[1] = argv[2];
  argv[argc - 1] = (char *) "--help";
}

int
main (int argc, char **argv)
{
  gboolean version = FALSE;

  /* Root runs it with an environment that may be a job's, which not even the locale is
   * to be taken from. */
  if (argc > 1 && strcmp (argv[1], HOOK) == 0)
    return jmc_hook_main (argc - 1, argv + 1);

  setlocale (LC_ALL, "");
  g_log_set_writer_func (write_log, NULL, NULL);
  g_set_prgname ("jobmetrics-cli");
  jm_portable_begin ();

  take_help (argc, argv);
  if (!parse (&argc, &argv, &version))
    return JMC_EXIT_USAGE;

  if (version)
    {
      jmc_output_print ("jobmetrics-cli " JMC_VERSION "\n");
      jmc_output_print (jm_portable_contents ());
      return jmc_output_finish (JMC_EXIT_OK);
    }

  if (argc < 2)
    {
      jmc_output_complain ("a command is missing (see jobmetrics-cli --help)");
      return JMC_EXIT_USAGE;
    }

  return run_command (argc - 1, argv + 1);
}
