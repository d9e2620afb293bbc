/* jmc-doctor.c: jobmetrics-cli doctor: what is missing on a node, and what mends it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <stdio.h>
#include <unistd.h>

#include "base/jm-json-writer-private.h"
#include "doctor/jm-doctor.h"
#include "jmc-options.h"
#include "ledger/jmc-ledger-peer.h"
#include "pages/jmc-doctor-page.h"

/* Where the exporter's unit keeps its ledger, and how large that may become. */
#define USUAL_LEDGER "/var/lib/jobmetrics-exporter/ledger.db"
#define USUAL_SIZE "1073741824"
/* Where the server's unit listens, on the machine that has one. */
#define SERVER_SOCKET "/run/jobmetrics-server/socket"

static const JmSetting ledger_settings[] = {
  { .name = "ledger.file",
    .group = "ledger",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Where the exporter keeps the records of jobs",
    .preset_help = USUAL_LEDGER },
  { .name = "ledger.max-size",
    .group = "ledger",
    .kind = JM_SETTING_COUNT,
    .argument = "BYTES",
    .help = "Largest size that the exporter allows it; 0 for no limit",
    .preset = USUAL_SIZE,
    .low = 0,
    .high = G_MAXUINT },
};

/* What is asked beside the options that all commands have. */
typedef struct
{
  gboolean quiet;
  char *scheduler; /* a definition that is tried; NULL: the node is examined */
  char *socket;    /* of the exporter; NULL for the usual one */
  char **paths;    /* cgroups that are explained */
} Question;

static void
question_clear (Question *self)
{
  g_free (self->scheduler);
  g_free (self->socket);
  g_strfreev (self->paths);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Question, question_clear)

static gboolean
parse (JmcOptions *options, Question *question, int argc, char **argv)
{
  const GOptionEntry entries[] = {
    { "quiet", 0, 0, G_OPTION_ARG_NONE, &question->quiet, "Print problems only", NULL },
    { "scheduler", 0, 0, G_OPTION_ARG_FILENAME, &question->scheduler,
      "Try a scheduler definition, and explain the cgroups PATH", "FILE" },
    { "socket", 0, 0, G_OPTION_ARG_FILENAME, &question->socket,
      "Where the exporter listens (default " JMC_USUAL_SOCKET ")", "PATH" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("[PATH...]");
  GOptionGroup *group = jmc_options_make_group (options, "output", "host", "jobs",
                                                "gpus", "power", "emissions", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (ledger_settings); i++)
    jmc_options_add_setting (options, &ledger_settings[i], group);
  jmc_options_add_entries (group, entries);
  g_option_context_set_summary (
    context,
    "Shows what is readable on this node, what is missing, and which privilege,\n"
    "mount or setting adds it. --scheduler tries a scheduler definition: it lists the\n"
    "cgroups that are jobs, or explains why PATH is a job or not. The exit status is "
    "1\n"
    "if there are problems.");
  g_option_context_set_main_group (context, group);
  if (!jmc_options_parse (options, context, &argc, &argv))
    return FALSE;

  if (argc > 1 && question->scheduler == NULL)
    {
      jmc_output_complain ("%s: doctor takes no arguments without --scheduler",
                           argv[1]);
      return FALSE;
    }
  question->paths = g_strdupv (argv + 1);

  return jmc_options_check (options);
}

static void
add_all (GPtrArray *findings, GPtrArray *found)
{
  for (guint i = 0; i < found->len; i++)
    g_ptr_array_add (findings, jm_finding_ref (found->pdata[i]));
}

static void
add_exporters (const Question *question, JmHost *host, GPtrArray *findings)
{
  g_autofree char *usual = jm_host_resolve (host, JMC_USUAL_SOCKET);
  g_autofree char *server = jm_host_resolve (host, SERVER_SOCKET);
  g_autoptr (GPtrArray) found =
    jm_doctor_examine_exporters (question->socket != NULL ? question->socket : usual,
                                 server);

  add_all (findings, found);
}

static void
add_ledger (const JmcOptions *options, JmHost *host, GPtrArray *findings)
{
  const char *file = jmc_options_get_text (options, "ledger.file");
  g_autoptr (GPtrArray) found =
    jm_doctor_examine_ledger (host, file != NULL ? file : USUAL_LEDGER,
                              jm_settings_get_number (options->settings,
                                                      "ledger.max-size"));

  add_all (findings, found);
}

static GPtrArray *
examine (const JmcOptions *options, const Question *question)
{
  g_autoptr (JmHost) host = jmc_options_make_host (options);
  GPtrArray *findings;

  if (question->scheduler != NULL)
    return jm_doctor_examine_scheduler (host, question->scheduler,
                                        jmc_options_get_list (options, "schedulers"),
                                        jmc_options_get_text (options, "node.name"),
                                        (const char *const *) question->paths);

  findings = jm_doctor_examine (host, jmc_options_get_list (options, "schedulers"),
                                jmc_options_get_text (options, "node.name"),
                                options->metering.sources,
                                jmc_options_get_list (options, "gpu.source"),
                                options->metering.providers);
  add_ledger (options, host, findings);
  add_exporters (question, host, findings);

  return findings;
}

static guint
count (GPtrArray *findings, JmSeverity severity)
{
  guint n = 0;

  for (guint i = 0; i < findings->len; i++)
    n += jm_finding_get_severity (g_ptr_array_index (findings, i)) == severity;

  return n;
}

static void
add_finding (JmJsonWriter *json, JmFinding *finding)
{
  JmSeverity severity = jm_finding_get_severity (finding);

  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "severity", jm_severity_get_name (severity));
  jm_json_writer_add_known_text (json, "topic", jm_finding_get_topic (finding));
  jm_json_writer_add_known_text (json, "seen", jm_finding_get_seen (finding));
  jm_json_writer_add_known_text (json, "remedy", jm_finding_get_remedy (finding));
  jm_json_writer_end_object (json);
}

static void
print_json (GPtrArray *findings, gboolean quiet)
{
  g_autoptr (GString) text = g_string_new (NULL);
  JmJsonWriter json = { .out = text, .layout = JM_JSON_PRETTY };

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_add_int (&json, "problems", count (findings, JM_SEVERITY_PROBLEM));
  jm_json_writer_begin_array (&json, "findings");
  for (guint i = 0; i < findings->len; i++)
    {
      JmFinding *finding = g_ptr_array_index (findings, i);

      if (!quiet || jm_finding_get_severity (finding) == JM_SEVERITY_PROBLEM)
        add_finding (&json, finding);
    }
  jm_json_writer_end_array (&json);
  jm_json_writer_end_object (&json);

  /* JSON is UTF-8 whatever the locale says */
  fputs (text->str, stdout);
  fputc ('\n', stdout);
}

static void
print_page (GPtrArray *findings, gboolean quiet, JmcColor color)
{
  const JmcDoctorStyle style = {
    .width = jmc_output_get_width (STDOUT_FILENO),
    .color = jmc_output_has_color (color, STDOUT_FILENO),
    .unicode = g_get_charset (NULL),
    .quiet = quiet,
  };
  g_autofree char *text = jmc_doctor_page_render (findings, &style);

  jmc_output_print (text);
}

/* What the library warns of is among the findings. */
static void
ignore (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
}

int
jmc_doctor_main (int argc, char **argv)
{
  g_auto (JmcOptions) options = { 0 };
  g_autoptr (GPtrArray) findings = NULL;
  g_auto (Question) question = { 0 };

  if (!parse (&options, &question, argc, argv))
    return JMC_EXIT_USAGE;

  g_log_set_handler ("JobMetrics", G_LOG_LEVEL_WARNING, ignore, NULL);
  findings = examine (&options, &question);

  if (options.json)
    print_json (findings, question.quiet);
  else
    print_page (findings, question.quiet, options.color);

  return jmc_output_finish (count (findings, JM_SEVERITY_PROBLEM) > 0 ? JMC_EXIT_FAILURE
                                                                      : JMC_EXIT_OK);
}
