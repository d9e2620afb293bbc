/* jmc-ledger.c: jobmetrics-cli ledger: the records of jobs, long after they ended
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <unistd.h>

#include "jmc-columns.h"
#include "jmc-options.h"
#include "ledger/jmc-ledger-output.h"
#include "ledger/jmc-ledger-reader.h"

/* What a line of 80 cells has room for comes first. */
#define COLUMNS "jobid,user,name,begin,elapsed,state,cpu_time,eff,peak"
#define OPTIONAL_COLUMNS "energy,co2,cpus,account,node,observed"
/* Programs get the same columns of every ledger, and who the job is for good. */
#define CSV_COLUMNS                                                                    \
 "jobid,uuid,cluster,user,account,name,node,state,begin,ended,elapsed,cpus,"           \
 "cpu_user_seconds,cpu_system_seconds,cpu_time,peak,energy,co2,observed,"              \
 "cpu_observed_percent,energy_observed_percent"

typedef struct
{
  JmcOptions options;
  JmcLedgerQuery query;
  char *format_text;
  char *columns_text;
  char *socket;
  gboolean csv;
  gboolean profile;
  gboolean steps;
  char **jobs; /* empty for all */
  JmcLedgerOutput output;
} Ledger;

static void
ledger_clear (Ledger *self)
{
  jmc_options_clear (&self->options);
  jmc_ledger_query_clear (&self->query);
  g_clear_pointer (&self->format_text, g_free);
  g_clear_pointer (&self->columns_text, g_free);
  g_clear_pointer (&self->socket, g_free);
  g_clear_pointer (&self->jobs, g_strfreev);
  g_clear_object (&self->output.table);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Ledger, ledger_clear)

/* --- options --- */

static const JmSetting file_setting = {
  .name = "ledger.file",
  .group = "ledger",
  .kind = JM_SETTING_FILE,
  .argument = "FILE",
  .help = "Read this ledger, instead of asking the exporter",
};

static GOptionGroup *
make_group (Ledger *self)
{
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &self->format_text,
      "table, json (an array), lines (JSON, a line each) or csv", "FORMAT" },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &self->csv, "The same as --format=csv", NULL },
    { "columns", 0, 0, G_OPTION_ARG_STRING, &self->columns_text,
      "Columns by their names; help lists these", "NAME,…" },
    { "no-headers", 0, 0, G_OPTION_ARG_NONE, &self->output.is_bare,
      "Print no column titles", NULL },
    { "profile", 0, 0, G_OPTION_ARG_NONE, &self->profile,
      "Print the course of each JOB as comma-separated values", NULL },
    { "steps", 0, 0, G_OPTION_ARG_NONE, &self->steps,
      "Show everything about each step of JOB, too", NULL },
    { "socket", 0, 0, G_OPTION_ARG_FILENAME, &self->socket,
      "Where the exporter listens (default " JMC_USUAL_SOCKET ")", "PATH" },
    { NULL },
  };
  GOptionGroup *group =
    jmc_options_make_group (&self->options, "output", "path.rootfs", NULL);

  jmc_options_add_setting (&self->options, &file_setting, group);
  jmc_options_add_entries (group, entries);
  jmc_ledger_query_add_entries (&self->query, group);

  return group;
}

static gboolean
parse_format (Ledger *self)
{
  static const char *const names[] = {
    [JMC_LEDGER_FORM_TABLE] = "table",
    [JMC_LEDGER_FORM_JSON] = "json",
    [JMC_LEDGER_FORM_LINES] = "lines",
    [JMC_LEDGER_FORM_CSV] = "csv",
  };

  if (self->format_text == NULL)
    {
      self->output.form = self->options.json ? JMC_LEDGER_FORM_JSON
                          : self->csv        ? JMC_LEDGER_FORM_CSV
                                             : JMC_LEDGER_FORM_TABLE;
      return TRUE;
    }

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (self->format_text, names[i]))
      {
        self->output.form = i;
        return TRUE;
      }

  jmc_output_complain ("--format=%s: not one of table, json, lines and csv",
                       self->format_text);

  return FALSE;
}

/* One output has one form. */
static gboolean
check_forms (Ledger *self)
{
  const guint n_forms =
    (self->format_text != NULL) + self->options.json + self->csv + self->profile;

  if (n_forms > 1)
    jmc_output_complain ("--format, --json, --csv and --profile cannot be combined");
  else if (self->profile && self->jobs[0] == NULL)
    jmc_output_complain ("--profile: a job id is missing");
  else if (self->profile && self->columns_text != NULL)
    jmc_output_complain ("--profile has columns of its own");
  else
    return TRUE;

  return FALSE;
}

/* Who asks for a job wants to see all of it, unless columns are named. */
static gboolean
parse_form (Ledger *self)
{
  if (!check_forms (self) || !parse_format (self))
    return FALSE;

  if (self->profile)
    self->output.form = JMC_LEDGER_FORM_PROFILES;
  else if (self->output.form == JMC_LEDGER_FORM_TABLE && self->jobs[0] != NULL &&
           self->columns_text == NULL)
    self->output.form = JMC_LEDGER_FORM_PAGES;

  self->output.is_terminal = isatty (STDOUT_FILENO);
  self->output.style = (JmcRecordStyle){
    .width = jmc_output_get_width (STDOUT_FILENO),
    .color = jmc_output_has_color (self->options.color, STDOUT_FILENO),
    .is_ascii = !g_get_charset (NULL),
    .depth = self->steps ? JM_SUBJECT_KIND_STEP : JM_SUBJECT_KIND_JOB
  };

  return TRUE;
}

static gboolean
parse_columns (Ledger *self)
{
  g_autoptr (GError) error = NULL;
  const char *usual = self->output.form == JMC_LEDGER_FORM_CSV ? CSV_COLUMNS : COLUMNS;

  self->output.table =
    jm_table_new_of_records (self->columns_text != NULL ? self->columns_text : usual,
                             &error);
  if (self->output.table == NULL)
    jmc_output_complain ("--columns: %s (see ledger --columns=help)", error->message);
  else if (self->columns_text == NULL && self->output.form == JMC_LEDGER_FORM_TABLE)
    jm_table_add_optional_columns (self->output.table, OPTIONAL_COLUMNS);

  return self->output.table != NULL;
}

static gboolean
parse (Ledger *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("[JOB…]");

  g_option_context_set_summary (context,
                                "Shows the records of running and ended jobs on this "
                                "node: all as a table, or all\n"
                                "figures of each JOB, an id or a uuid. The node's "
                                "exporter answers; users see their\n"
                                "own jobs.");
  g_option_context_set_main_group (context, make_group (self));
  if (!jmc_options_parse (&self->options, context, &argc, &argv))
    return FALSE;

  self->jobs = g_strdupv (argv + 1);

  return jmc_options_check (&self->options) && parse_form (self) &&
         (g_strcmp0 (self->columns_text, "help") == 0 || parse_columns (self)) &&
         jmc_ledger_query_parse (&self->query);
}

/* --- output --- */

static void
on_record (JmJobRecord *record, gpointer data)
{
  Ledger *self = data;

  jmc_ledger_output_take (&self->output, record);
}

/* An exporter keeps to itself what is not this user's. */
static void
complain_of_none (Ledger *self, const char *job)
{
  const gboolean is_asked =
    jmc_options_get_text (&self->options, "ledger.file") == NULL;
  const char *note = is_asked && geteuid () != 0 ? " (users see their own jobs)" : "";

  if (job == NULL)
    jmc_output_complain ("no job in the ledger matches%s", note);
  else
    jmc_output_complain ("%s: no such job in the ledger%s", job, note);
}

/* Reads what is recorded of @job, NULL for all. FALSE where that cannot be read. */
static gboolean
read_job (Ledger *self, JmcLedgerPeer *peer, const char *job, int *status)
{
  const guint n_before = self->output.n_records;
  g_autoptr (GError) error = NULL;

  if (!jmc_ledger_reader_read (peer, &self->query, job, on_record, self, &error))
    {
      jmc_output_complain ("%s", error->message);
      return FALSE;
    }

  if (self->output.n_records == n_before)
    complain_of_none (self, job);
  if (self->output.n_records == n_before && job != NULL)
    *status = JMC_EXIT_FAILURE;

  return TRUE;
}

static int
print_records (Ledger *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmcLedgerPeer) peer =
    jmc_ledger_peer_open (&self->options,
                          jmc_options_get_text (&self->options, "ledger.file"),
                          self->socket, &error);
  int status = JMC_EXIT_OK;

  if (error != NULL)
    {
      jmc_output_complain ("%s", error->message);
      return JMC_EXIT_FAILURE;
    }

  if (self->jobs[0] == NULL && !read_job (self, peer, NULL, &status))
    return JMC_EXIT_FAILURE;
  for (char **job = self->jobs; *job != NULL; job++)
    if (!read_job (self, peer, *job, &status))
      return JMC_EXIT_FAILURE;
  jmc_ledger_output_end (&self->output);

  return status;
}

int
jmc_ledger_main (int argc, char **argv)
{
  g_auto (Ledger) self = { .options.metering.meters = JMC_METERS_NONE };

  if (!parse (&self, argc, argv))
    return JMC_EXIT_USAGE;

  if (self.output.table == NULL)
    {
      g_autoptr (JmTable) table = jm_table_new_of_records (COLUMNS, NULL);
      g_autofree char *text = jmc_columns_describe (table);

      jmc_output_print (text);
      return jmc_output_finish (JMC_EXIT_OK);
    }

  return jmc_output_finish (print_records (&self));
}
