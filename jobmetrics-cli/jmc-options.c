/* jmc-options.c: the options that commands have in common
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-options.h"

#include <stdlib.h>
#include <string.h>

#include "base/jm-error.h"
#include "jmc-help.h"
#include "node/jm-node-settings-private.h"

/* In the order of JmcColor. */
static const char *const colors[] = { "auto", "always", "never", NULL };

/* Beside those of the node. */
static const JmSetting own_settings[] = {
  { .name = "json", .group = "output", .kind = JM_SETTING_FLAG, .help = "Print JSON" },
  { .name = "color",
    .group = "output",
    .kind = JM_SETTING_CHOICE,
    .argument = "WHEN",
    .help = "Color of titles",
    .preset = "auto",
    .choices = colors },
  { .name = "power.file",
    .group = "exporter-accounts",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Where the exporter keeps what jobs have used",
    .preset_help = JMC_USUAL_ACCOUNTS },
};

/* A short option means the same in every command that has it. */
static const struct
{
  const char *name;
  char letter;
} letters[] = {
  { "account", 'A' }, { "all", 'a' },        { "by", 'b' },     { "cluster", 'C' },
  { "columns", 'o' }, { "count", 'n' },      { "format", 'F' }, { "full", 'f' },
  { "job", 'j' },     { "jobid", 'j' },      { "json", 'J' },   { "limit", 'n' },
  { "name", 'N' },    { "no-headers", 'H' }, { "node", 'w' },   { "partition", 'p' },
  { "qos", 'q' },     { "quiet", 'q' },      { "reason", 'r' }, { "since", 'S' },
  { "sort", 'k' },    { "state", 't' },      { "until", 'E' },  { "user", 'u' },
};

void
jmc_options_clear (JmcOptions *self)
{
  g_clear_pointer (&self->settings, jm_settings_free);
  g_clear_pointer (&self->last, g_ptr_array_unref);
}

/* --- groups --- */

static char
get_letter (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    if (g_str_equal (letters[i].name, name))
      return letters[i].letter;

  return '\0';
}

/* Adds @entries, to NULL, with the short options of their names. */
void
jmc_options_add_entries (GOptionGroup *group, const GOptionEntry *entries)
{
  for (; entries->long_name != NULL; entries++)
    {
      GOptionEntry pair[] = { *entries, G_OPTION_ENTRY_NULL };

      pair[0].short_name = get_letter (entries->long_name);
      g_option_group_add_entries (group, pair);
    }
}

/* For those who generate completions and manuals. */
static gboolean
list_settings (const char *option, const char *value, gpointer data, GError **error)
{
  char *list = jm_settings_describe (data);

  jmc_output_print (list);
  g_free (list); /* exit () runs no cleanup */
  exit (jmc_output_finish (JMC_EXIT_OK));
}

void
jmc_options_add_setting (JmcOptions *self,
                         const JmSetting *setting,
                         GOptionGroup *group)
{
  jm_settings_add (self->settings, setting);
  jm_settings_add_option (self->settings, setting->name, get_letter (setting->name),
                          group);
}

/* What fewer people need: where files and programs are. */
void
jmc_options_add_last (JmcOptions *self, const JmSetting *setting)
{
  jm_settings_add (self->settings, setting);
  g_ptr_array_add (self->last, (gpointer) setting->name);
}

static void
add_last_options (JmcOptions *self)
{
  for (guint i = 0; i < self->last->len; i++)
    {
      const char *name = self->last->pdata[i];

      jm_settings_add_option (self->settings, name, get_letter (name), self->group);
    }
  g_ptr_array_set_size (self->last, 0);
}

static void
add_settings (JmcOptions *self, const JmSettings *from, const char *name)
{
  for (gsize i = 0; i < jm_settings_get_size (from); i++)
    {
      const JmSetting *setting = jm_settings_get_setting (from, i);

      if (setting->name != NULL &&
          (g_str_equal (setting->group, name) || g_str_equal (setting->name, name)))
        jmc_options_add_last (self, setting);
    }
}

/* Makes the options of settings that @first_name and those behind it name, each the
 * name of a group or of a single setting: what the node has, `output`, and
 * `exporter-accounts`. A new setting of a node is in every command that has its group.
 */
GOptionGroup *
jmc_options_make_group (JmcOptions *self, const char *first_name, ...)
{
  const GOptionEntry entries[] = {
    { "list-settings", 0, G_OPTION_FLAG_NO_ARG | G_OPTION_FLAG_HIDDEN,
      G_OPTION_ARG_CALLBACK, list_settings, NULL, NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (JmSettings) all = jm_settings_new ();
  GOptionGroup *group;
  va_list names;

  jm_settings_add_rows (all, own_settings, G_N_ELEMENTS (own_settings));
  jm_node_settings_add (all);

  self->settings = jm_settings_new ();
  group = g_option_group_new ("command", NULL, NULL, self->settings, NULL);
  self->group = group;
  self->last = g_ptr_array_new ();
  g_option_group_add_entries (group, entries);
  va_start (names, first_name);
  for (const char *name = first_name; name != NULL; name = va_arg (names, const char *))
    add_settings (self, all, name);
  va_end (names);

  return group;
}

/* --- parsing --- */

const char *
jmc_options_get_text (const JmcOptions *self, const char *name)
{
  return self->settings != NULL && jm_settings_has (self->settings, name)
           ? jm_settings_get_text (self->settings, name)
           : NULL;
}

const char *const *
jmc_options_get_list (const JmcOptions *self, const char *name)
{
  return self->settings != NULL && jm_settings_has (self->settings, name)
           ? jm_settings_get_list (self->settings, name)
           : NULL;
}

/* GLib quotes the option at the end of its message, in the locale's language. */
static void
refuse (GOptionContext *context, const GError *error)
{
  const char *typed =
    g_error_matches (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION)
      ? strstr (error->message, "--")
      : NULL;
  g_autofree char *similar =
    jmc_help_suggest_option (context, typed != NULL ? typed : "");

  jmc_output_complain ("%s%s (see %s --help)", error->message, similar,
                       g_get_prgname ());
}

static gboolean
take_settings (JmcOptions *self, GOptionContext *context, const GError *error)
{
  if (error != NULL)
    {
      refuse (context, error);
      return FALSE;
    }
  if (self == NULL || self->settings == NULL)
    return TRUE;

  if (jm_settings_has (self->settings, "json"))
    self->json = jm_settings_get_flag (self->settings, "json");
  if (jm_settings_has (self->settings, "color"))
    self->color = (JmcColor) jm_settings_get_number (self->settings, "color");
  self->metering.sources = jmc_options_get_list (self, "power.source");
  self->metering.providers = jmc_options_get_list (self, "emissions.provider");
  self->metering.file = jmc_options_get_text (self, "power.file");

  return TRUE;
}

static void
prepare (JmcOptions *self, GOptionContext *context)
{
  jmc_help_add_examples (context);
  if (self != NULL && self->last != NULL)
    add_last_options (self);
}

/* Parses the options of one command; returns FALSE, and has reported why, where they
 * are invalid. --help ends the program. @self may be NULL. */
gboolean
jmc_options_parse (JmcOptions *self, GOptionContext *context, int *argc, char ***argv)
{
  g_autoptr (GError) error = NULL;

  prepare (self, context);
  g_option_context_parse (context, argc, argv, &error);

  return take_settings (self, context, error);
}

/* The same for arguments that are a copy; those that are no options are left. */
gboolean
jmc_options_parse_strv (JmcOptions *self, GOptionContext *context, char ***arguments)
{
  g_autoptr (GError) error = NULL;

  prepare (self, context);
  g_option_context_parse_strv (context, arguments, &error);

  return take_settings (self, context, error);
}

/* Whether the directories and the file that were given are there; has reported which is
 * not. */
gboolean
jmc_options_check (const JmcOptions *self)
{
  g_autoptr (GError) error = NULL;

  if (jm_settings_check (self->settings, &error))
    return jmc_metering_check (&self->metering);

  jmc_output_complain ("%s", error->message);

  return FALSE;
}

/* --- the node --- */

/* The host that the options speak of. */
JmHost *
jmc_options_make_host (const JmcOptions *self)
{
  return jm_host_new_with_paths (jmc_options_get_text (self, "path.rootfs"),
                                 jmc_options_get_text (self, "path.procfs"),
                                 jmc_options_get_text (self, "path.sysfs"),
                                 jmc_options_get_text (self, "path.cgroupfs"));
}

/* The node that the options speak of, on a host. */
JmNode *
jmc_options_open_node_of (const JmcOptions *self,
                          JmHost *host,
                          JmSubjectKind level,
                          const JmCollectorSet *collectors,
                          GError **error)
{
  g_auto (JmcMeteringPlan) plan = jmc_metering_make_plan (&self->metering, host);

  return jm_node_settings_make_node (self->settings, error, "host", host, "level",
                                     (guint) level, "collectors", collectors,
                                     "power-sources", plan.sources,
                                     "emission-providers", plan.providers,
                                     "energy-files", plan.files, NULL);
}

/* The node that the options speak of, on the host that they do. */
JmNode *
jmc_options_open_node (const JmcOptions *self,
                       JmSubjectKind level,
                       const JmCollectorSet *collectors,
                       GError **error)
{
  g_autoptr (JmHost) host = jmc_options_make_host (self);

  return jmc_options_open_node_of (self, host, level, collectors, error);
}

/* The node that the options speak of; what it has to do without is said. */
JmNode *
jmc_options_make_node (const JmcOptions *self,
                       JmSubjectKind level,
                       const JmCollectorSet *collectors,
                       GError **error)
{
  JmNode *node = jmc_options_open_node (self, level, collectors, error);
  g_auto (GStrv) problems = NULL;

  if (node == NULL)
    return NULL;

  problems = jm_node_list_problems (node);
  for (char **problem = problems; *problem != NULL; problem++)
    jmc_output_complain ("%s", *problem);

  return node;
}

/* Says why there is no node. Returns the exit status: a source or a provider that
 * is invalid is in the command line. */
int
jmc_options_refuse_node (const GError *error)
{
  jmc_output_complain ("%s", error->message);

  return g_error_matches (error, JM_ERROR, JM_ERROR_INVALID) ? JMC_EXIT_USAGE
                                                             : JMC_EXIT_FAILURE;
}
