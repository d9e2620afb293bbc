/* jmc-report.c: jobmetrics-cli report: efficiency report and advice for one job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "archive/jmc-archive-options.h"
#include "base/jm-error.h"
#include "base/jm-moment-private.h"
#include "jmc-options.h"
#include "jmc-write.h"
#include "judge/jm-run-report.h"
#include "ledger/jmc-ledger-peer.h"
#include "report/jmc-report-array.h"
#include "report/jmc-report-query.h"
#include "report/jmc-report-rules.h"
#include "report/page/jm-report.h"

typedef enum
{
  FORM_TEXT,
  FORM_FULL,
  FORM_HTML,
  FORM_JOBSTATS,
  FORM_JSON,
  FORM_PDF,
  FORM_SEFF,
  N_FORMS,
} Form;

static const char *const form_names[N_FORMS] = {
  [FORM_TEXT] = "text",         [FORM_FULL] = "full", [FORM_HTML] = "html",
  [FORM_JOBSTATS] = "jobstats", [FORM_JSON] = "json", [FORM_PDF] = "pdf",
  [FORM_SEFF] = "seff",
};

typedef struct
{
  JmcOptions options;
  char *job; /* an id, or NULL */
  char *socket;
  char *output; /* NULL for the standard output */
  gboolean
    wanted[N_FORMS]; /* which of them have an option of their own that was given */
  char *format_text;
  Form form;
} Report;

/* --- options --- */

static void
report_clear (Report *self)
{
  jmc_options_clear (&self->options);
  g_clear_pointer (&self->job, g_free);
  g_clear_pointer (&self->socket, g_free);
  g_clear_pointer (&self->output, g_free);
  g_clear_pointer (&self->format_text, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Report, report_clear)

static const JmSetting settings[] = {
  { .name = "cluster",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Only runs on this cluster" },
  { .name = "uuid",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "UUID",
    .help = "The run of this uuid, instead of a job id" },
  { .name = "at",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "TIME",
    .help = "Your run, or that of JOB, that was running at that time, such as "
            "'yesterday 14:00'" },
  { .name = "name",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "PATTERN",
    .help = "All jobs of such a name together, such as 'align-*'" },
  { .name = "user",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "USER",
    .help = "With --name: jobs of this user",
    .preset_help = "the calling user" },
  { .name = "since",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "TIME",
    .help = "With --name: jobs that ended since then, or still run",
    .preset = "-7days" },
  { .name = "ledger.file",
    .group = "ledger",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Read this ledger alone" },
};

static GOptionGroup *
make_group (Report *self)
{
  const GOptionEntry entries[] = {
    { "full", 0, 0, G_OPTION_ARG_NONE, &self->wanted[FORM_FULL],
      "Print all figures, not only the most important", NULL },
    { "format", 0, 0, G_OPTION_ARG_STRING, &self->format_text,
      "text, full, json, html, pdf, jobstats, or seff: lines as Slurm's seff has them",
      "FORMAT" },
    { "html", 0, 0, G_OPTION_ARG_NONE, &self->wanted[FORM_HTML],
      "Print a page for browsers and mails", NULL },
    { "pdf", 0, 0, G_OPTION_ARG_NONE, &self->wanted[FORM_PDF],
      "Print pages of A4 as PDF", NULL },
    { "jobstats", 0, 0, G_OPTION_ARG_NONE, &self->wanted[FORM_JOBSTATS],
      "Print the comment that jobstats keeps in Slurm's accounting", NULL },
    { "output", 0, 0, G_OPTION_ARG_FILENAME, &self->output,
      "Write to this file, instead of the standard output", "FILE" },
    { "socket", 0, 0, G_OPTION_ARG_FILENAME, &self->socket,
      "Ask the exporter at this socket alone", "PATH" },
    { NULL },
  };
  GOptionGroup *group =
    jmc_options_make_group (&self->options, "output", "host", "node.name", "schedulers",
                            "gpus", JMC_ENERGY_SETTINGS, NULL);

  jmc_archive_options_add_settings (&self->options);
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_setting (&self->options, &settings[i], group);
  jmc_options_add_entries (group, entries);

  return group;
}

/* --format=html is the same as --html, and so on. */
static gboolean
choose_form (Report *self)
{
  guint n_chosen = 0;

  self->wanted[FORM_JSON] = self->options.json;
  for (Form form = 0; form < N_FORMS; form++)
    {
      const gboolean is_format = g_strcmp0 (self->format_text, form_names[form]) == 0;

      if (is_format || self->wanted[form])
        self->form = form;
      n_chosen += is_format + self->wanted[form];
    }
  if (self->format_text != NULL && n_chosen == 0)
    jmc_output_complain ("--format=%s: not one of text, full, html, jobstats, json, "
                         "pdf "
                         "and seff",
                         self->format_text);
  else if (n_chosen > 1)
    jmc_output_complain (
      "--full, --html, --pdf, --json, --jobstats and --format cannot "
      "be combined");
  else if (self->form == FORM_PDF && self->output == NULL && isatty (STDOUT_FILENO))
    jmc_output_complain ("--pdf is nothing for a terminal: --output=FILE takes it");
  else
    return TRUE;

  return FALSE;
}

static gboolean
check_job (Report *self, int argc, char **argv)
{
  const char *uuid = jmc_options_get_text (&self->options, "uuid");
  const char *name = jmc_options_get_text (&self->options, "name");
  const char *at = jmc_options_get_text (&self->options, "at");

  if (at != NULL && (uuid != NULL || name != NULL))
    jmc_output_complain ("--at cannot be combined with --uuid or --name");
  else if ((argc > 1) + (uuid != NULL) + (name != NULL) > 1 || argc > 2)
    jmc_output_complain ("one JOB at most, or --uuid=UUID, or --name=PATTERN (see "
                         "jobmetrics-cli report --help)");
  else if (uuid != NULL && !g_uuid_string_is_valid (uuid))
    jmc_output_complain ("--uuid=%s: not a uuid", uuid);
  else
    {
      self->job = g_strdup (argv[1]);
      return TRUE;
    }

  return FALSE;
}

static gboolean
parse (Report *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("[JOB]");

  g_option_context_set_summary (
    context,
    "Reports how much a job used of its CPUs, memory, accelerators and time, the\n"
    "verdict on it, and what to do next; with --full each of its nodes, its energy\n"
    "and emissions, and all advice. JOB is an id such as 12345, 123_4 or 12+1; "
    "without\n"
    "it the report is of your own jobs. Of several runs it is the newest, or with "
    "--at\n"
    "the one that was running at that time. The archive of the site is asked, then "
    "the\n"
    "ledger of this node, then (not with --at) this node itself.");
  g_option_context_set_main_group (context, make_group (self));

  return jmc_options_parse (&self->options, context, &argc, &argv) &&
         jmc_options_check (&self->options) && check_job (self, argc, argv) &&
         choose_form (self) && jmc_archive_options_check (&self->options);
}

/* --- advice --- */

/* A report without advice is worth more than none. */
static GPtrArray *
judge (Report *self, JmRunReport *report)
{
  g_autoptr (JmRunRules) rules =
    jmc_report_rules_open (&self->options, jmc_output_complain);

  return rules != NULL ? jm_run_rules_judge (rules, report) : NULL;
}

/* Of a site that has prices. */
static void
add_cost (Report *self, JmRunReport *report)
{
  g_autoptr (JmHost) host = jmc_options_make_host (&self->options);
  g_autoptr (JmPriceList) prices = jm_price_list_new (host, NULL, NULL);

  if (prices != NULL)
    jm_price_list_add_cost (prices, report);
}

/* --- output --- */

static char *
make_comment (JmRunReport *report)
{
  g_autofree char *comment = jm_jobstats_summary_format (report);

  return g_strconcat (comment, "\n", NULL);
}

/* Where there is more to read of this run. */
static char *
describe_more (Report *self, JmRunReport *report, const char *link)
{
  const char *uuid = jmc_options_get_text (&self->options, "uuid");

  if (link != NULL)
    return g_strdup (link);
  /* the id of its job would be that of another run */
  if (uuid != NULL)
    return g_strconcat ("jobmetrics-cli report --full --uuid=", uuid, NULL);

  return g_strconcat ("jobmetrics-cli report --full ",
                      jm_run_get_text (jm_run_report_get_run (report), "jobid"), NULL);
}

static char *
format_text (Report *self, JmRunReport *report, GPtrArray *advice, const char *link)
{
  const gboolean is_file = self->output != NULL;
  const guint width = is_file ? 0 : jmc_output_get_width (STDOUT_FILENO);
  const gboolean color = is_file
                           ? self->options.color == JMC_COLOR_ALWAYS
                           : jmc_output_has_color (self->options.color, STDOUT_FILENO);
  g_autofree char *more = describe_more (self, report, link);

  return self->form == FORM_FULL
           ? jm_run_report_to_text (report, advice, width, color)
           : jm_run_report_to_brief (report, advice, more, width, color);
}

static GBytes *
render (Report *self,
        JmRunReport *report,
        GPtrArray *advice,
        const char *link,
        GError **error)
{
  char *text;

  switch (self->form)
    {
    case FORM_PDF:
      return jm_run_report_to_pdf (report, advice, error);
    case FORM_JOBSTATS:
      text = make_comment (report);
      break;
    case FORM_SEFF:
      text = jm_run_report_to_seff (report);
      break;
    case FORM_HTML:
      text = jm_run_report_to_html (report, advice);
      break;
    case FORM_JSON:
      text = jm_run_report_to_json (report, advice);
      break;
    default:
      text = format_text (self, report, advice, link);
    }

  return g_bytes_new_take (text, strlen (text));
}

/* Text for people is in the charset of their terminal; all else is as it is. */
static void
print (Report *self, GBytes *bytes)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  if (self->form == FORM_PDF || self->form == FORM_HTML || self->form == FORM_JSON)
    fwrite (data, 1, length, stdout);
  else
    {
      g_autofree char *text = g_strndup (data, length);

      jmc_output_print (text);
    }
}

static gboolean
deliver (Report *self, GBytes *bytes, GError **error)
{
  if (self->output != NULL)
    return jmc_write_file (self->output, bytes, error);

  print (self, bytes);

  return TRUE;
}

static GBytes *
make_of_run (Report *self, const JmcReportQuery *query, GError **error)
{
  g_autofree char *link = NULL;
  g_autoptr (JmRunReport) report = jmc_report_query_find (&self->options, query, &link);
  g_autoptr (GPtrArray) advice = NULL;

  if (report == NULL)
    return NULL;

  add_cost (self, report);
  advice = judge (self, report);

  return render (self, report, advice, link, error);
}

/* Of the jobs of a name, or of an array; NULL for another job. */
static char *
make_summary (Report *self, const JmcReportQuery *query, GError **error)
{
  const gboolean is_json = self->form == FORM_JSON;
  g_autoptr (GError) problem = NULL;
  char *summary;

  /* in other forms each task has a report of its own */
  if (self->form != FORM_TEXT && !is_json)
    {
      if (query->name != NULL)
        g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                     "--name: as text or as JSON alone");
      return NULL;
    }
  summary = jmc_report_array_make (&self->options, query, is_json, &problem);
  if (summary != NULL || query->name == NULL)
    return summary;
  if (problem != NULL)
    g_propagate_error (error, g_steal_pointer (&problem));
  else
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                 "%s: fewer than two jobs of such a name", query->name);

  return NULL;
}

/* 0 where there is no such option. */
static gboolean
take_moment (Report *self, const char *name, gint64 *seconds, GError **error)
{
  const char *text = jmc_options_get_text (&self->options, name);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  gint64 time_us = 0;

  if (text != NULL && !jm_moment_parse (text, now, &time_us, error))
    return FALSE;
  *seconds = time_us / G_USEC_PER_SEC;

  if (text == NULL || *seconds > 0)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: not a time after 1970", text);

  return FALSE;
}

static int
show (Report *self)
{
  const char *user = jmc_options_get_text (&self->options, "user");
  JmcReportQuery query = {
    .job = self->job,
    .uuid = jmc_options_get_text (&self->options, "uuid"),
    .cluster = jmc_options_get_text (&self->options, "cluster"),
    .name = jmc_options_get_text (&self->options, "name"),
    .user = user != NULL ? user : g_get_user_name (),
    .socket = self->socket,
    .ledger_file = jmc_options_get_text (&self->options, "ledger.file"),
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  char *summary = NULL;

  if (take_moment (self, "since", &query.since, &error) &&
      take_moment (self, "at", &query.at, &error) && query.at == 0)
    summary = make_summary (self, &query, &error);
  if (summary != NULL)
    bytes = g_bytes_new_take (summary, strlen (summary));
  else if (error == NULL)
    bytes = make_of_run (self, &query, &error);

  if (bytes != NULL && deliver (self, bytes, &error))
    return JMC_EXIT_OK;
  if (error != NULL)
    jmc_output_complain ("%s", error->message);

  return JMC_EXIT_FAILURE;
}

int
jmc_report_main (int argc, char **argv)
{
  g_auto (Report) self = { .options.metering.meters = JMC_METERS_TOLD };

  return parse (&self, argc, argv) ? jmc_output_finish (show (&self)) : JMC_EXIT_USAGE;
}
