/* jme-options.c: what the daemon is configured with
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-options.h"

#include <math.h>
#include <string.h>

#include "core/jm-error.h"
#include "daemon/jme-config-file.h"

#define DEFAULT_LISTEN_ADDRESS ":9010"
#define DEFAULT_SAMPLE_INTERVAL 5.0
#define DEFAULT_LINGER_SECONDS 120
#define DEFAULT_MAX_EXECUTABLES 10
#define DEFAULT_MAX_CPUS 256

#define ALL_COLLECTORS ((1u << JM_N_COLLECTORS) - 1)

static gboolean
refuse (GError **error, const char *option, const char *what, const char *value)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s: %s", option, what, value);

  return FALSE;
}

/* --- options with a meaning of their own --- */

static gboolean
parse_level (const char *option, const char *value, gpointer data, GError **error)
{
  static const char *const names[] = { "job", "step", "task" };
  JmeOptions *self = data;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (value, names[i]))
      {
        self->level = JM_LEVEL_JOB + i;
        return TRUE;
      }

  return refuse (error, option, "not one of job, step, task", value);
}

static gboolean
parse_log_level (const char *option, const char *value, gpointer data, GError **error)
{
  JmeOptions *self = data;

  return jme_log_parse_level (value, &self->log_level, error);
}

static gboolean
parse_log_format (const char *option, const char *value, gpointer data, GError **error)
{
  JmeOptions *self = data;

  return jme_log_parse_format (value, &self->log_format, error);
}

static gboolean
parse_collector (const char *option, const char *value, gpointer data, GError **error)
{
  JmeOptions *self = data;
  gboolean is_off = g_str_has_prefix (option, "--no-");
  JmCollector collector;

  if (!jm_collector_from_name (option +
                                 strlen (is_off ? "--no-collector." : "--collector."),
                               &collector))
    return refuse (error, option, "no such collector", "");

  if (is_off)
    self->collectors &= ~(1u << collector);
  else
    self->collectors |= 1u << collector;

  return TRUE;
}

static gboolean
parse_no_collectors (const char *option,
                     const char *value,
                     gpointer data,
                     GError **error)
{
  JmeOptions *self = data;

  self->collectors = 0;

  return TRUE;
}

/* Names stay with the group, which GOption does not copy them for. */
static void
add_collector_entries (GOptionGroup *group, GPtrArray *names)
{
  /* The first finds the jobs that the others read: it cannot be turned off. */
  for (guint i = JM_COLLECTOR_JOBS + 1; i < JM_N_COLLECTORS; i++)
    {
      char *on = g_strconcat ("collector.", jm_collector_get_name (i), NULL);
      char *off = g_strconcat ("no-collector.", jm_collector_get_name (i), NULL);
      const GOptionEntry entries[] = {
        { on, 0, G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, parse_collector,
          jm_collector_get_help (i), NULL },
        { off, 0, G_OPTION_FLAG_NO_ARG | G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_CALLBACK,
          parse_collector, NULL, NULL },
        G_OPTION_ENTRY_NULL,
      };

      g_ptr_array_add (names, on);
      g_ptr_array_add (names, off);
      g_option_group_add_entries (group, entries);
    }
}

static void
add_entries (GOptionGroup *group, JmeOptions *self)
{
  /* clang-format off */
  const GOptionEntry entries[] = {
    { "web.listen-address", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->listen_addresses,
      "Address to listen on, several times: HOST:PORT, [IPV6]:PORT, unix:/PATH (default " DEFAULT_LISTEN_ADDRESS ")", "ADDRESS" },
    { "web.systemd-socket", 0, 0, G_OPTION_ARG_NONE, &self->use_systemd_sockets,
      "Listen on the sockets that systemd hands over", NULL },
    { "web.config.file", 0, 0, G_OPTION_ARG_FILENAME, &self->web_config_file,
      "TLS and authentication, in the exporter-toolkit's format", "FILE" },
    { "config.file", 0, 0, G_OPTION_ARG_FILENAME, &self->config_file,
      "Options from a key file, group [node], one key for each option", "FILE" },
    { "log.level", 0, 0, G_OPTION_ARG_CALLBACK, parse_log_level,
      "debug, info, warn or error (default info)", "LEVEL" },
    { "log.format", 0, 0, G_OPTION_ARG_CALLBACK, parse_log_format,
      "logfmt, json or journal (default logfmt)", "FORMAT" },
    { "once", 0, 0, G_OPTION_ARG_NONE, &self->once,
      "Print one scrape and end", NULL },
    { "sample.interval", 0, 0, G_OPTION_ARG_DOUBLE, &self->sample_interval,
      "Time between two sweeps (default 5)", "SECONDS" },
    { "sample.linger", 0, 0, G_OPTION_ARG_INT, &self->sample_linger,
      "How long the figures of a job that ended stay on display (default 120)", "SECONDS" },
    { "sample.level", 0, 0, G_OPTION_ARG_CALLBACK, parse_level,
      "Deepest level of figures: job, step or task (default job)", "LEVEL" },
    { "collector.disable-defaults", 0, G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, parse_no_collectors,
      "Turn all collectors off but those named after it", NULL },
    { "collector.memory.stat.interval", 0, 0, G_OPTION_ARG_DOUBLE, &self->memory_stat_interval,
      "Least time between two readings of memory.stat (default 0: each sweep)", "SECONDS" },
    { "collector.process.max-executables", 0, 0, G_OPTION_ARG_INT, &self->max_executables,
      "Executables of a job that are told apart (default 10)", "N" },
    { "collector.percpu.max-cpus", 0, 0, G_OPTION_ARG_INT, &self->max_cpus,
      "Most CPUs of a job that are told apart (default 256)", "N" },
    { "collector.files.filesystem", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->filesystems,
      "Mount point whose use by jobs is shown, several times", "PATH" },
    { "power.source", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->power_sources,
      "Power source with its properties, several times, the best first (default auto: what is found)", "NAME[,PROPERTY=VALUE]..." },
    { "power.share-idle", 0, 0, G_OPTION_ARG_NONE, &self->share_idle,
      "Share idle energy among jobs by the CPUs that are theirs", NULL },
    { "power.file", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->energy_files,
      "Keep the jobs' energy in this file over a restart, several times", "FILE" },
    { "emissions.provider", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->emission_providers,
      "Who says what electricity emits, several times, the preferred first (default global)", "NAME[,PROPERTY=VALUE]..." },
    { "metrics.include", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->metrics_include,
      "Export only metrics of these names, with * and ?, several times", "PATTERN" },
    { "metrics.exclude", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->metrics_exclude,
      "Export no metrics of these names, several times", "PATTERN" },
    { "metrics.info-label", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->info_fields,
      "Label of jobmetrics_job_info, several times", "NAME" },
    { "cluster", 0, 0, G_OPTION_ARG_STRING, &self->cluster,
      "Name of the cluster", "NAME" },
    { "node.name", 0, 0, G_OPTION_ARG_STRING, &self->node_name,
      "The scheduler's name of this node, where several run on one machine", "NAME" },
    { "schedulers", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->schedulers,
      "Directory with scheduler definitions, several times", "DIR" },
    { "path.rootfs", 0, 0, G_OPTION_ARG_FILENAME, &self->rootfs,
      "Where the host's file system is (default /)", "DIR" },
    { "path.procfs", 0, 0, G_OPTION_ARG_FILENAME, &self->procfs,
      "Where the host's /proc is", "DIR" },
    { "path.sysfs", 0, 0, G_OPTION_ARG_FILENAME, &self->sysfs,
      "Where the host's /sys is", "DIR" },
    { "path.cgroupfs", 0, 0, G_OPTION_ARG_FILENAME, &self->cgroupfs,
      "Where the host's /sys/fs/cgroup is", "DIR" },
    G_OPTION_ENTRY_NULL,
  };
  /* clang-format on */

  g_option_group_add_entries (group, entries);
}

/* --- parsing --- */

static gboolean
refuse_words (char **arguments, GError **error)
{
  if (arguments[0] != NULL && arguments[1] != NULL)
    return refuse (error, "node", "unexpected argument", arguments[1]);

  return TRUE;
}

static gboolean
parse_arguments (JmeOptions *self, char **arguments, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_auto (GStrv) copy = g_strdupv (arguments);
  GOptionGroup *group = g_option_group_new ("node", NULL, NULL, self, NULL);

  add_entries (group, self);
  add_collector_entries (group, names);
  g_option_context_set_main_group (context, group);
  g_option_context_set_summary (context, "Shows the jobs of this node to Prometheus. "
                                         "--no-collector.NAME turns a collector off.");
  g_set_prgname ("jobmetrics-exporter node");

  return g_option_context_parse_strv (context, &copy, error) &&
         refuse_words (copy, error);
}

static gboolean
parse_file (JmeOptions *self, const char *path, GError **error)
{
  g_auto (GStrv) arguments = jme_config_file_read (path, "node", error);

  if (arguments == NULL)
    return FALSE;
  if (!parse_arguments (self, arguments, error))
    {
      g_prefix_error (error, "%s: ", path);
      return FALSE;
    }

  return TRUE;
}

/* What the command line says takes the place of what the file said, which GOption would
 * not free. */
static gboolean
parse_after_file (JmeOptions *self, char **arguments, GError **error)
{
  char ***lists[] = { &self->listen_addresses, &self->schedulers,
                      &self->filesystems,      &self->metrics_include,
                      &self->metrics_exclude,  &self->info_fields,
                      &self->power_sources,    &self->emission_providers,
                      &self->energy_files };
  char **strings[] = { &self->web_config_file, &self->config_file, &self->rootfs,
                       &self->procfs,          &self->sysfs,       &self->cgroupfs,
                       &self->cluster,         &self->node_name };
  char **old_lists[G_N_ELEMENTS (lists)];
  char *old_strings[G_N_ELEMENTS (strings)];
  gboolean is_good;

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    old_lists[i] = g_steal_pointer (lists[i]);
  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    old_strings[i] = g_steal_pointer (strings[i]);

  is_good = parse_arguments (self, arguments, error);

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (*lists[i] == NULL)
      *lists[i] = old_lists[i];
    else
      g_strfreev (old_lists[i]);
  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    if (*strings[i] == NULL)
      *strings[i] = old_strings[i];
    else
      g_free (old_strings[i]);

  return is_good;
}

static gboolean
check_number (const char *option, double value, double low, double high, GError **error)
{
  g_autofree char *text = NULL;

  if (isfinite (value) && value >= low && value <= high)
    return TRUE;

  text = g_strdup_printf ("%g", value);
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: not between %g and %g: %s",
               option, low, high, text);

  return FALSE;
}

static gboolean
check_directory (const char *option, const char *path, GError **error)
{
  if (path == NULL || g_file_test (path, G_FILE_TEST_IS_DIR))
    return TRUE;

  return refuse (error, option, "no such directory", path);
}

static gboolean
check_directories (const JmeOptions *self, GError **error)
{
  for (char **dir = self->schedulers; dir != NULL && *dir != NULL; dir++)
    if (!check_directory ("--schedulers", *dir, error))
      return FALSE;

  return check_directory ("--path.rootfs", self->rootfs, error) &&
         check_directory ("--path.procfs", self->procfs, error) &&
         check_directory ("--path.sysfs", self->sysfs, error) &&
         check_directory ("--path.cgroupfs", self->cgroupfs, error);
}

static gboolean
check (const JmeOptions *self, GError **error)
{
  return check_directories (self, error) &&
         check_number ("--sample.interval", self->sample_interval, 0.1, 3600, error) &&
         check_number ("--sample.linger", self->sample_linger, 0, 86400, error) &&
         check_number ("--collector.memory.stat.interval", self->memory_stat_interval,
                       0, 86400, error) &&
         check_number ("--collector.process.max-executables", self->max_executables, 0,
                       1000, error) &&
         check_number ("--collector.percpu.max-cpus", self->max_cpus, 0, 65536, error);
}

static JmeOptions *
options_new (void)
{
  JmeOptions *self = g_new0 (JmeOptions, 1);

  self->log_level = G_LOG_LEVEL_INFO;
  self->log_format = JME_LOG_LOGFMT;
  self->sample_interval = DEFAULT_SAMPLE_INTERVAL;
  self->sample_linger = DEFAULT_LINGER_SECONDS;
  self->level = JM_LEVEL_JOB;
  self->collectors = ALL_COLLECTORS;
  self->max_executables = DEFAULT_MAX_EXECUTABLES;
  self->max_cpus = DEFAULT_MAX_CPUS;

  return self;
}

/* Which file is meant stands on the command line, so that is looked through first. */
JmeOptions *
jme_options_parse (char **arguments, GError **error)
{
  g_autoptr (JmeOptions) first = options_new ();
  g_autoptr (JmeOptions) self = options_new ();

  if (!parse_arguments (first, arguments, error))
    return NULL;

  if (first->config_file != NULL && !parse_file (self, first->config_file, error))
    return NULL;
  if (!parse_after_file (self, arguments, error) || !check (self, error))
    return NULL;

  if (self->listen_addresses == NULL && !self->use_systemd_sockets)
    self->listen_addresses =
      g_strdupv ((char **) (const char *const[]){ DEFAULT_LISTEN_ADDRESS, NULL });

  return g_steal_pointer (&self);
}

void
jme_options_free (JmeOptions *self)
{
  g_strfreev (self->listen_addresses);
  g_strfreev (self->schedulers);
  g_strfreev (self->filesystems);
  g_strfreev (self->power_sources);
  g_strfreev (self->emission_providers);
  g_strfreev (self->energy_files);
  g_strfreev (self->metrics_include);
  g_strfreev (self->metrics_exclude);
  g_strfreev (self->info_fields);
  g_free (self->web_config_file);
  g_free (self->config_file);
  g_free (self->rootfs);
  g_free (self->procfs);
  g_free (self->sysfs);
  g_free (self->cgroupfs);
  g_free (self->cluster);
  g_free (self->node_name);
  g_free (self);
}
