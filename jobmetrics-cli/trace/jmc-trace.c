/* jmc-trace.c: jobmetrics-cli trace: runs a command, and reports it to an exporter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <errno.h>
#include <string.h>

#include "base/jm-parse-private.h"
#include "base/jm-secret-private.h"
#include "base/jm-setting-private.h"
#include "base/jm-trace-record-private.h"
#include "io/jm-http-private.h"
#include "jmc-options.h"
#include "run/jmc-child.h"
#include "run/jmc-process-tree.h"
#include "trace/jmc-trace-parts.h"

#define USUAL_URL "http://localhost:9011"
#define PATH "/trace"

#define MAX_TIMEOUT_MS 10000
/* How long a command runs before its first report. */
#define FIRST_MS 1000
/* How far off the interval that may be. */
#define LOOK_MS 250
#define SAMPLE_RATE "SAMPLE_RATE"

static const JmSetting settings[] = {
  { .name = "url",
    .group = "trace",
    .kind = JM_SETTING_TEXT,
    .argument = "URL",
    .help = "Exporter that gets the reports",
    .preset_help = "$SLURM_EXPORTER, else http://localhost:9011/trace" },
  { .name = "socket",
    .group = "trace",
    .kind = JM_SETTING_FILE,
    .argument = "PATH",
    .help = "Its local socket, in place of a URL" },
  { .name = "interval",
    .group = "trace",
    .kind = JM_SETTING_DURATION,
    .argument = "SECONDS",
    .help = "Time between two reports",
    .preset_help = "$SAMPLE_RATE, else 10",
    .low = 0.1,
    .high = 3600 },
  { .name = "job",
    .group = "trace",
    .kind = JM_SETTING_TEXT,
    .argument = "ID",
    .help = "Job of the command",
    .preset_help = "$SLURM_JOB_ID" },
  { .name = "token-file",
    .group = "trace",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "File with one line, the token that the exporter expects" },
  { .name = "dry-run",
    .group = "trace",
    .kind = JM_SETTING_FLAG,
    .help = "Print the reports on the standard error, send none" },
};

#define INTERVAL (&settings[2])

typedef struct
{
  JmcOptions options;
  char *url;
  char *token;
  guint interval_ms;
} TraceOptions;

typedef struct
{
  const TraceOptions *options;
  JmHost *host;
  JmcProcessTree *tree;
  JmcChild *child;
  JmcTraceSampler *sampler;
  JmcTraceSender *sender; /* NULL of a dry run */
  JmTraceRecord *record;
  gint64 next_us;
} Trace;

/* --- the job --- */

/* The first variable of two names that says something. */
static const char *
get_variable (const char *name, const char *other_name)
{
  const char *value = g_getenv (name);

  return value != NULL && *value != '\0' ? value : g_getenv (other_name);
}

static char *
copy_variable (const char *name, const char *other_name)
{
  const char *value = get_variable (name, other_name);

  return g_strdup (value != NULL ? value : "");
}

/* Fills in who @record is of: @job where it is given, else what the scheduler left in
 * the environment. Returns FALSE where there is no job, or @job is no number of one. */
static gboolean
fill_identity (JmTraceRecord *record, const char *job)
{
  if (job == NULL)
    job = get_variable ("SLURM_JOB_ID", "SLURM_JOBID");
  if (job == NULL || !jm_parse_uint64 (job, strlen (job), &record->job_id) ||
      record->job_id == 0 || record->job_id > G_MAXINT64)
    return FALSE;

  record->cluster = copy_variable ("SLURM_CLUSTER_NAME", "SLURM_CLUSTERS");
  record->step = copy_variable ("SLURM_STEP_ID", "SLURM_STEPID");
  /* Slurm 26.05 gives batch scripts a number below zero */
  if (record->step[0] == '-')
    record->step[0] = '\0';
  record->host = g_strdup (g_get_host_name ());
  record->user = g_strdup (g_get_user_name ());

  return TRUE;
}

/* Where the exporter is, as @text or the environment says: with a scheme and a path,
 * which wrappers of others leave out. */
static char *
find_url (const char *text)
{
  const char *given = text != NULL ? text : g_getenv ("SLURM_EXPORTER");
  const char *url = given != NULL && *given != '\0' ? given : USUAL_URL;
  const char *scheme = strstr (url, "://") != NULL ? "" : "http://";
  const char *host = *scheme != '\0' ? url : strstr (url, "://") + strlen ("://");
  const char *path = strchr (host, '/');

  if (path == NULL)
    return g_strconcat (scheme, url, PATH, NULL);
  if (path[1] == '\0')
    return g_strconcat (scheme, url, &PATH[1], NULL);

  return g_strconcat (scheme, url, NULL);
}

/* --- the command --- */

static void
trace_options_clear (TraceOptions *self)
{
  jmc_options_clear (&self->options);
  g_clear_pointer (&self->url, g_free);
  g_clear_pointer (&self->token, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TraceOptions, trace_options_clear)

static void
trace_clear (Trace *self)
{
  g_clear_pointer (&self->sender, jmc_trace_sender_free);
  g_clear_pointer (&self->sampler, jmc_trace_sampler_free);
  g_clear_pointer (&self->child, jmc_child_free);
  g_clear_pointer (&self->tree, jmc_process_tree_free);
  g_clear_pointer (&self->record, jm_trace_record_free);
  g_clear_object (&self->host);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Trace, trace_clear)

/* --- while the command runs --- */

static void
report (Trace *self)
{
  g_autoptr (GString) body = g_string_new (NULL);

  jmc_trace_sampler_take (self->sampler, self->record);
  jm_trace_record_append_json (self->record, body);
  if (self->sender != NULL)
    jmc_trace_sender_send (self->sender, body->str);
  else
    g_printerr ("%s\n", body->str);
}

static gboolean
on_news (pid_t pid, gpointer data)
{
  Trace *self = data;
  gint64 now_us = g_get_monotonic_time ();

  if (pid > 0)
    {
      jmc_trace_sampler_note_end (self->sampler, pid);
      return jmc_process_tree_add (self->tree, pid);
    }
  if (now_us >= self->next_us)
    {
      report (self);
      self->next_us = now_us + (gint64) self->options->interval_ms * 1000;
    }

  return TRUE;
}

/* The thread comes after the child, which has to be made without one, and with the
 * child's signals blocked. */
static void
start_telling (Trace *self)
{
  const TraceOptions *options = self->options;
  const JmcTraceTarget target = {
    .url = options->url,
    .socket = jmc_options_get_text (&options->options, "socket"),
    .token = options->token,
    .timeout_ms = MIN (options->interval_ms, MAX_TIMEOUT_MS),
  };

  self->record->pid = (guint64) jmc_child_get_pid (self->child);
  self->sampler = jmc_trace_sampler_new (self->host, self->tree, self->child);
  if (!jm_settings_get_flag (options->options.settings, "dry-run"))
    self->sender = jmc_trace_sender_new (&target);
  self->next_us =
    g_get_monotonic_time () + (gint64) MIN (options->interval_ms, FIRST_MS) * 1000;
}

static int
run_command (Trace *self, char **command)
{
  g_auto (GStrv) environment = g_get_environ ();
  g_autoptr (GError) error = NULL;
  int code;

  self->host = jm_host_new (NULL);
  self->tree = jmc_process_tree_new (self->host);
  jmc_process_tree_adopt_orphans (self->tree);
  self->child = jmc_child_new (command, environment, &error);
  if (self->child == NULL)
    {
      jmc_output_complain ("%s", error->message);
      return JMC_EXIT_CANNOT_RUN;
    }
  start_telling (self);

  code = jmc_child_release (self->child);
  jmc_child_wait (self->child, LOOK_MS, on_news, self);
  if (code != 0)
    {
      jmc_output_complain ("%s: %s", command[0], g_strerror (code));
      return code == ENOENT ? JMC_EXIT_NOT_FOUND : JMC_EXIT_NOT_EXECUTABLE;
    }

  return jmc_child_get_code (self->child) +
         (jmc_child_is_signaled (self->child) ? (int) JMC_EXIT_SIGNAL : 0);
}

/* --- options --- */

/* What the environment says counts where nothing was given, by the option's rules. */
static gboolean
read_interval (TraceOptions *self)
{
  const char *text = g_getenv (SAMPLE_RATE);
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (GError) error = NULL;

  if (jm_settings_is_given (self->options.settings, INTERVAL->name))
    {
      self->interval_ms =
        jm_settings_get_number (self->options.settings, INTERVAL->name);
      return TRUE;
    }

  g_value_init (&value, jm_setting_get_value_type (INTERVAL));
  if (!jm_setting_parse (INTERVAL, text != NULL && *text != '\0' ? text : "10", &value,
                         &error))
    {
      jmc_output_complain (SAMPLE_RATE "=%s: %s", text, error->message);
      return FALSE;
    }
  self->interval_ms = g_value_get_uint (&value);

  return TRUE;
}

/* A token goes in clear to this machine alone. */
static gboolean
read_token (TraceOptions *self)
{
  const char *path = jmc_options_get_text (&self->options, "token-file");
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    return TRUE;

  if (jmc_options_get_text (&self->options, "socket") != NULL ||
      jm_http_check_url (self->url, &error))
    self->token = jm_secret_read_token (path, &error);
  if (self->token == NULL)
    jmc_output_complain ("--token-file: %s", error->message);

  return self->token != NULL;
}

static gboolean
read_target (TraceOptions *self)
{
  const char *url = jmc_options_get_text (&self->options, "url");

  if (jmc_options_get_text (&self->options, "socket") == NULL)
    {
      self->url = find_url (url);
      return TRUE;
    }
  if (url == NULL)
    {
      self->url = g_strdup ("http://localhost/trace");
      return TRUE;
    }
  jmc_output_complain ("--url and --socket cannot be combined");

  return FALSE;
}

static gboolean
parse (TraceOptions *self, int argc, char **argv, char ***command)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("-- COMMAND…");
  GOptionGroup *group = jmc_options_make_group (&self->options, NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_setting (&self->options, &settings[i], group);
  g_option_context_set_summary (
    context,
    "Runs a command and reports to an exporter what it and all its child processes\n"
    "use: CPU time, memory, threads, input and output. The exit status is that of the\n"
    "command; 128 and the number of the signal that ended it; 126 or 127 if it could\n"
    "not be executed or found. A failing exporter does not change it.");
  g_option_context_set_main_group (context, group);
  g_option_context_set_strict_posix (context, TRUE);
  if (!jmc_options_parse (&self->options, context, &argc, &argv))
    return FALSE;

  *command = argv + 1;
  if (g_strcmp0 (**command, "--") == 0)
    (*command)++;
  if (**command == NULL)
    jmc_output_complain ("trace: a command is missing");

  return **command != NULL && read_interval (self) && read_target (self) &&
         read_token (self);
}

int
jmc_trace_main (int argc, char **argv)
{
  g_auto (TraceOptions) options = { 0 };
  g_auto (Trace) trace = { .options = &options };
  char **command;

  if (!parse (&options, argc, argv, &command))
    return JMC_EXIT_USAGE;

  trace.record = g_new0 (JmTraceRecord, 1);
  if (!fill_identity (trace.record, jmc_options_get_text (&options.options, "job")))
    {
      jmc_output_complain ("trace: which job? --job=ID is a whole number, from 1 up");
      return JMC_EXIT_USAGE;
    }

  return run_command (&trace, command);
}
