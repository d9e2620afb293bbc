/* jmc-options.c: the options that commands have in common
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-options.h"

#include "core/jm-error.h"

void
jmc_options_clear (JmcOptions *self)
{
  g_clear_pointer (&self->root, g_free);
  g_clear_pointer (&self->procfs, g_free);
  g_clear_pointer (&self->sysfs, g_free);
  g_clear_pointer (&self->cgroupfs, g_free);
  g_clear_pointer (&self->schedulers, g_strfreev);
  g_clear_pointer (&self->cluster, g_free);
  g_clear_pointer (&self->node_name, g_free);
  jmc_metering_clear (&self->metering);
}

static gboolean
parse_color (const char *name, const char *value, gpointer data, GError **error)
{
  static const char *const words[] = {
    [JMC_COLOR_AUTO] = "auto",
    [JMC_COLOR_ALWAYS] = "always",
    [JMC_COLOR_NEVER] = "never",
  };
  JmcOptions *self = data;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (value, words[i]))
      {
        self->color = i;
        return TRUE;
      }

  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "%s=%s: neither auto, always nor never", name, value);
  return FALSE;
}

/* --json and --color. */
GOptionGroup *
jmc_options_make_output_group (JmcOptions *self)
{
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &self->json, "Print JSON", NULL },
    { "color", 0, 0, G_OPTION_ARG_CALLBACK, parse_color,
      "auto (default), always or never", "WHEN" },
    { NULL },
  };
  GOptionGroup *group = g_option_group_new ("output", NULL, NULL, self, NULL);

  g_option_group_add_entries (group, entries);

  return group;
}

/* Which node is read, and how. */
void
jmc_options_add_node_entries (JmcOptions *self, GOptionGroup *group)
{
  const GOptionEntry entries[] = {
    { "path.rootfs", 0, 0, G_OPTION_ARG_FILENAME, &self->root,
      "Root of the tree that is read (default /)", "DIR" },
    { "path.procfs", 0, 0, G_OPTION_ARG_FILENAME, &self->procfs,
      "Where procfs is (default /proc in the root)", "DIR" },
    { "path.sysfs", 0, 0, G_OPTION_ARG_FILENAME, &self->sysfs,
      "Where sysfs is (default /sys in the root)", "DIR" },
    { "path.cgroupfs", 0, 0, G_OPTION_ARG_FILENAME, &self->cgroupfs,
      "Where cgroups are (default fs/cgroup in sysfs)", "DIR" },
    { "schedulers", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->schedulers,
      "Directory with scheduler definitions; may be repeated", "DIR" },
    { "cluster", 0, 0, G_OPTION_ARG_STRING, &self->cluster, "Name of the cluster",
      "NAME" },
    { "node.name", 0, 0, G_OPTION_ARG_STRING, &self->node_name,
      "Name of the node (default its host name)", "NAME" },
    { NULL },
  };

  g_option_group_add_entries (group, entries);
}

/* From where it is known what jobs have used of energy, and what that emits. */
void
jmc_options_add_energy_entries (JmcOptions *self, GOptionGroup *group)
{
  jmc_metering_add_source_entry (&self->metering, group);
  jmc_metering_add_sharing_entry (&self->metering, group);
  jmc_metering_add_file_entry (&self->metering, group);
  jmc_metering_add_provider_entry (&self->metering, group);
}

/* The same with --json and --color. */
GOptionGroup *
jmc_options_make_group (JmcOptions *self)
{
  GOptionGroup *group = jmc_options_make_output_group (self);

  jmc_options_add_node_entries (self, group);

  return group;
}

/* Parses the options of one command; returns FALSE, and has reported why, where they
 * cannot be meant. --help ends the program. */
gboolean
jmc_options_parse (GOptionContext *context, int *argc, char ***argv)
{
  g_autoptr (GError) error = NULL;

  if (g_option_context_parse (context, argc, argv, &error))
    return TRUE;

  jmc_output_complain ("%s (see %s --help)", error->message, g_get_prgname ());

  return FALSE;
}

/* The same for arguments that are a copy; those that are no options are left. */
gboolean
jmc_options_parse_strv (GOptionContext *context, char ***arguments)
{
  g_autoptr (GError) error = NULL;

  if (g_option_context_parse_strv (context, arguments, &error))
    return TRUE;

  jmc_output_complain ("%s (see %s --help)", error->message, g_get_prgname ());

  return FALSE;
}

static gboolean
check_directory (const char *option, const char *path)
{
  if (path == NULL || g_file_test (path, G_FILE_TEST_IS_DIR))
    return TRUE;

  jmc_output_complain ("--%s=%s: not a directory", option, path);

  return FALSE;
}

/* Whether the directories and the file that were given are there; has reported which is
 * not. */
gboolean
jmc_options_check (const JmcOptions *self)
{
  for (char **path = self->schedulers; path != NULL && *path != NULL; path++)
    if (!check_directory ("schedulers", *path))
      return FALSE;

  return check_directory ("path.rootfs", self->root) &&
         check_directory ("path.procfs", self->procfs) &&
         check_directory ("path.sysfs", self->sysfs) &&
         check_directory ("path.cgroupfs", self->cgroupfs) &&
         jmc_metering_check (&self->metering);
}

/* The node that the options speak of. @collectors is a mask by JmCollector. */
JmNode *
jmc_options_open_node (const JmcOptions *self,
                       JmLevel level,
                       guint collectors,
                       GError **error)
{
  g_autoptr (JmHost) host =
    jm_host_new_with_paths (self->root, self->procfs, self->sysfs, self->cgroupfs);
  g_auto (JmcMeteringPlan) plan = jmc_metering_make_plan (&self->metering, host);

  return g_initable_new (JM_TYPE_NODE, NULL, error, "host", host, "level",
                         (guint) level, "collectors", collectors, "cluster",
                         self->cluster, "node-name", self->node_name, "schedulers",
                         self->schedulers, "power-sources", plan.sources,
                         "emission-providers", plan.providers, "share-idle",
                         self->metering.share_idle, "energy-files", plan.files, NULL);
}

/* The node that the options speak of; what it has to do without is said. */
JmNode *
jmc_options_make_node (const JmcOptions *self,
                       JmLevel level,
                       guint collectors,
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
 * cannot be meant is in the command line. */
int
jmc_options_refuse_node (const GError *error)
{
  jmc_output_complain ("%s", error->message);

  return g_error_matches (error, JM_ERROR, JM_ERROR_INVALID) ? JMC_EXIT_USAGE
                                                             : JMC_EXIT_FAILURE;
}
