/* jm-scheduler-definition.c: how a scheduler's jobs are known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-scheduler-definition-private.h"

#include <gio/gio.h>
#include <string.h>

#include "base/jm-error-private.h"
#include "base/jm-error.h"

#define FILE_MAX_BYTES (64 * 1024)

/* Of a command line that is looked at; of a command's name the kernel keeps 15. */
#define HELPER_MAX_BYTES 255
#define COMMAND_MAX_BYTES 15
#define HELPERS_MAX 64

#define LOOKUPS_MAX 8
#define LOOKUP_GROUP "Lookup"

#define TEXT_MAX_BYTES 512

/* What the doctor may find wanting, where schedulers have remedies of their own. */
static const char *const topics[] = {
  "cgroup.cpuacct", "cgroup.cpu",    "cgroup.cpuset",     "cgroup.memory",
  "cgroup.io",      "cgroup.pids",   "cgroup.delegation", "hooks.prolog",
  "jobs.found",     "jobs.identity", "jobs.contained",
};

struct _JmSchedulerDefinition
{
  char *path;
  char *name;
  JmCgroupLayout *layout;
  JmSchedulerHook *hook;
  JmVariableNames *variables;
  JmIdentityRules *identity_rules;
  GPtrArray *lookups; /* of JmLookup */
  JmClusterFile *cluster_file;
  char **helpers;                      /* NULL where there are none */
  char *advice[G_N_ELEMENTS (topics)]; /* for the doctor's remedies; NULL of none */
  JmSchedulerSpool spool;
};

G_DEFINE_BOXED_TYPE (JmSchedulerDefinition,
                     jm_scheduler_definition,
                     jm_scheduler_definition_ref,
                     jm_scheduler_definition_unref)

static gboolean
load_patterns (JmSchedulerDefinition *self,
               GKeyFile *file,
               const char *key,
               GError **error)
{
  g_auto (GStrv) texts = g_key_file_get_string_list (file, "Cgroup", key, NULL, error);

  if (texts == NULL)
    return FALSE;
  if (texts[0] == NULL)
    return jm_error_refuse (error, "an empty list", "");

  for (guint i = 0; texts[i] != NULL; i++)
    if (!jm_cgroup_layout_add (self->layout, key, texts[i], error))
      return FALSE;

  return TRUE;
}

static gboolean
load_name (JmSchedulerDefinition *self, char *value, GError **error)
{
  g_free (self->name);
  self->name = value;

  return jm_is_word (value, "_.-") || jm_error_refuse (error, "not a name", value);
}

/* A user's process may be named so too: only one that is root's is a helper. */
static gboolean
is_helper (const char *text)
{
  gsize length = strcspn (text, " ");

  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isprint (*c))
      return FALSE;

  return length > 0 && length <= COMMAND_MAX_BYTES && strlen (text) <= HELPER_MAX_BYTES;
}

static gboolean
load_helpers (JmSchedulerDefinition *self, GKeyFile *file, GError **error)
{
  g_auto (GStrv) helpers =
    g_key_file_get_string_list (file, "Processes", "Helpers", NULL, error);

  if (helpers == NULL)
    return FALSE;
  if (g_strv_length (helpers) > HELPERS_MAX)
    return jm_error_refuse (error, "too many helpers, from here", helpers[HELPERS_MAX]);
  for (guint i = 0; helpers[i] != NULL; i++)
    if (!is_helper (helpers[i]))
      return jm_error_refuse (error, "not a command", helpers[i]);

  g_strfreev (self->helpers);
  self->helpers = g_steal_pointer (&helpers);

  return TRUE;
}

/* Of several, each has something behind the word that distinguishes it. */
static gboolean
is_lookup (const char *group)
{
  return g_str_equal (group, LOOKUP_GROUP) ||
         g_str_has_prefix (group, LOOKUP_GROUP " ");
}

static int
find_topic (const char *topic)
{
  for (guint i = 0; i < G_N_ELEMENTS (topics); i++)
    if (g_str_equal (topics[i], topic))
      return (int) i;

  return -1;
}

/* It is written to terminals as it is. */
static gboolean
is_line (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      return FALSE;

  return text[0] != '\0' && strlen (text) <= TEXT_MAX_BYTES;
}

/* Errors: `INVALID` for a topic that is not known, and a text that is no line. */
static gboolean
add_advice (JmSchedulerDefinition *self,
            const char *topic,
            const char *text,
            GError **error)
{
  int i = find_topic (topic);

  if (i < 0 || !is_line (text))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   i < 0 ? "unknown key: %s" : "not one line of at most 512 bytes: %s",
                   i < 0 ? topic : text);
      return FALSE;
    }

  g_free (self->advice[i]);
  self->advice[i] = g_strdup (text);

  return TRUE;
}

static gboolean
load_key (JmSchedulerDefinition *self,
          GKeyFile *file,
          const char *group,
          const char *key,
          GError **error)
{
  g_autofree char *value = NULL;

  if (g_str_equal (group, "Cgroup"))
    return load_patterns (self, file, key, error);
  if (g_str_equal (group, "Hook"))
    return jm_scheduler_hook_add (self->hook, file, key, error);
  if (g_str_equal (group, "Cluster"))
    return jm_cluster_file_add (self->cluster_file, file, key, error);
  if (g_str_equal (group, "Processes") && g_str_equal (key, "Helpers"))
    return load_helpers (self, file, error);
  if (g_str_equal (group, "Scheduler") && g_str_equal (key, "Extends"))
    return TRUE; /* load_base () has read it */
  if (g_str_equal (group, "Spool"))
    return jm_scheduler_spool_add (&self->spool, file, key, error);

  value = g_key_file_get_string (file, group, key, error);
  if (value == NULL)
    return FALSE;

  if (g_str_equal (group, "Scheduler") && g_str_equal (key, "Name"))
    return load_name (self, g_steal_pointer (&value), error);
  if (jm_variable_names_has_group (group))
    return jm_variable_names_add (self->variables, group, key, value, error);
  if (jm_identity_rules_has_group (group))
    return jm_identity_rules_add (self->identity_rules, group, key, value, error);
  if (is_lookup (group))
    return jm_lookup_add (g_ptr_array_index (self->lookups, self->lookups->len - 1),
                          key, value, error);
  if (g_str_equal (group, "Steps"))
    return jm_cgroup_layout_name_step (self->layout, key, value, error);
  if (g_str_equal (group, "Advice"))
    return add_advice (self, key, value, error);

  return jm_error_refuse (error, "unknown key", key);
}

static gboolean
check_lookup (JmSchedulerDefinition *self, const char *group, GError **error)
{
  if (jm_lookup_check (g_ptr_array_index (self->lookups, self->lookups->len - 1),
                       error))
    return TRUE;

  g_prefix_error (error, "%s: ", group);
  return FALSE;
}

static gboolean
load_group (JmSchedulerDefinition *self,
            GKeyFile *file,
            const char *group,
            GError **error)
{
  static const char *const groups[] = { "Scheduler", "Cgroup",  "Steps",
                                        "Hook",      "Cluster", "Processes",
                                        "Advice",    "Spool",   NULL };
  g_auto (GStrv) keys = NULL;

  if (!g_strv_contains (groups, group) && !jm_variable_names_has_group (group) &&
      !jm_identity_rules_has_group (group) && !is_lookup (group))
    return jm_error_refuse (error, "unknown group", group);
  if (is_lookup (group) && self->lookups->len == LOOKUPS_MAX)
    return jm_error_refuse (error, "more than eight look-ups", group);
  if (is_lookup (group))
    g_ptr_array_add (self->lookups, jm_lookup_new ());

  keys = g_key_file_get_keys (file, group, NULL, error);
  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    if (!load_key (self, file, group, keys[i], error))
      {
        g_prefix_error (error, "%s: %s: ", group, keys[i]);
        return FALSE;
      }

  return keys != NULL && (!is_lookup (group) || check_lookup (self, group, error));
}

static gboolean
check_whole (JmSchedulerDefinition *self, GError **error)
{
  if (self->name == NULL)
    return jm_error_refuse (error, "Scheduler: Name", "missing");

  return jm_cgroup_layout_check (self->layout, error) &&
         jm_scheduler_hook_check (self->hook, error) &&
         jm_cluster_file_check (self->cluster_file, error) &&
         jm_scheduler_spool_check (&self->spool, error);
}

static gboolean
load_groups (JmSchedulerDefinition *self, GKeyFile *file, GError **error)
{
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);

  for (guint i = 0; groups[i] != NULL; i++)
    if (!load_group (self, file, groups[i], error))
      return FALSE;

  return TRUE;
}

/* The built-in definition whose keys count first. None of those extends another. */
static gboolean
load_base (JmSchedulerDefinition *self, GKeyFile *file, GError **error)
{
  g_autofree char *name = g_key_file_get_string (file, "Scheduler", "Extends", NULL);
  g_autofree char *path = g_build_filename ("schedulers", name, NULL);
  g_autoptr (JmDataFile) base = jm_data_file_new_built_in (path);
  g_autoptr (GKeyFile) base_file = g_key_file_new ();
  g_autoptr (GBytes) bytes = NULL;

  if (name == NULL)
    return TRUE;

  bytes = jm_data_file_read (base, FILE_MAX_BYTES, NULL);
  if (bytes == NULL ||
      !g_key_file_load_from_bytes (base_file, bytes, G_KEY_FILE_NONE, NULL))
    return jm_error_refuse (error, "Scheduler: Extends: not a built-in definition",
                            name);

  return load_groups (self, base_file, error);
}

static JmSchedulerDefinition *
definition_new (const char *path)
{
  JmSchedulerDefinition *self = g_atomic_rc_box_new0 (JmSchedulerDefinition);

  self->path = g_filename_display_name (path);
  self->layout = jm_cgroup_layout_new ();
  self->variables = jm_variable_names_new ();
  self->identity_rules = jm_identity_rules_new ();
  self->lookups = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_lookup_free);
  self->hook = jm_scheduler_hook_new ();
  self->cluster_file = jm_cluster_file_new ();

  return self;
}

/*
 * jm_scheduler_definition_new_from_text: (skip)
 * @path: what messages call the text
 * @text: a key file
 * @length: of @text
 * @error: return location for an error
 *
 * Understands a definition.
 *
 * - Errors: `INVALID`, as jm_scheduler_definition_new_from_file().
 *
 * Returns: (transfer full): the definition
 */
JmSchedulerDefinition *
jm_scheduler_definition_new_from_text (const char *path,
                                       const char *text,
                                       gsize length,
                                       GError **error)
{
  g_autoptr (JmSchedulerDefinition) self = definition_new (path);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) local_error = NULL;

  if (g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, &local_error) &&
      load_base (self, file, &local_error) && load_groups (self, file, &local_error) &&
      check_whole (self, &local_error))
    return g_steal_pointer (&self);

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s", self->path,
               local_error->message);

  return NULL;
}

/*
 * jm_scheduler_definition_new_from_data: (skip)
 * @file: a key file, the library's or a site's
 * @error: return location for an error
 *
 * Returns: (transfer full): the definition
 */
JmSchedulerDefinition *
jm_scheduler_definition_new_from_data (const JmDataFile *file, GError **error)
{
  g_autofree char *path = jm_data_file_describe (file);
  g_autoptr (GError) problem = NULL;
  g_autoptr (GBytes) bytes = jm_data_file_read (file, FILE_MAX_BYTES, &problem);
  gsize length;
  const char *text;

  if (bytes == NULL)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID, problem->message);
      return NULL;
    }

  text = g_bytes_get_data (bytes, &length);

  return jm_scheduler_definition_new_from_text (path, length > 0 ? text : "", length,
                                                error);
}

/*
 * jm_scheduler_definition_new_from_file:
 * @path: (type filename): a key file
 * @error: return location for an error
 *
 * Reads a definition, of at most 64 KiB. See the manual for its groups and keys.
 *
 * - Errors: `INVALID` for whatever is wrong: the path, group and key, what is wrong,
 *   and the value. A key that is not known is wrong too: it was meant to do something.
 *
 * Returns: (transfer full): the definition
 * Since: 0.1
 */
JmSchedulerDefinition *
jm_scheduler_definition_new_from_file (const char *path, GError **error)
{
  g_autoptr (JmHost) here = jm_host_new (NULL);
  g_autoptr (JmDataFile) file = NULL;
  g_autofree char *absolute = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  absolute = g_canonicalize_filename (path, NULL);
  file = jm_data_file_new (here, absolute);

  return jm_scheduler_definition_new_from_data (file, error);
}

/*
 * jm_scheduler_definition_ref:
 * @self: a definition
 *
 * Takes a reference.
 *
 * Returns: (transfer full): the same definition
 * Since: 0.1
 */
JmSchedulerDefinition *
jm_scheduler_definition_ref (JmSchedulerDefinition *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
definition_clear (JmSchedulerDefinition *self)
{
  jm_cgroup_layout_free (self->layout);
  jm_scheduler_hook_free (self->hook);
  jm_variable_names_free (self->variables);
  jm_identity_rules_free (self->identity_rules);
  g_ptr_array_unref (self->lookups);
  jm_cluster_file_free (self->cluster_file);
  g_strfreev (self->helpers);
  for (guint i = 0; i < G_N_ELEMENTS (self->advice); i++)
    g_free (self->advice[i]);
  jm_scheduler_spool_clear (&self->spool);
  g_free (self->name);
  g_free (self->path);
}

/*
 * jm_scheduler_definition_unref:
 * @self: (transfer full): a definition
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_scheduler_definition_unref (JmSchedulerDefinition *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) definition_clear);
}

/*
 * jm_scheduler_definition_get_name:
 * @self: a definition
 *
 * Gets what the scheduler is called in `jobmetrics_job_info`.
 *
 * Returns: the name, such as `slurm`
 * Since: 0.1
 */
const char *
jm_scheduler_definition_get_name (JmSchedulerDefinition *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

/*
 * jm_scheduler_definition_get_path:
 * @self: a definition
 *
 * Gets where the definition was read from.
 *
 * Returns: the path, as UTF-8; of one that is compiled into the library its name and
 *   that it is built in
 * Since: 0.1
 */
const char *
jm_scheduler_definition_get_path (JmSchedulerDefinition *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->path;
}

/*
 * jm_scheduler_definition_get_layout: (skip)
 * @self: a definition
 *
 * Returns: (transfer none): what its cgroups are called
 */
const JmCgroupLayout *
jm_scheduler_definition_get_layout (JmSchedulerDefinition *self)
{
  return self->layout;
}

/*
 * jm_scheduler_definition_get_variables: (skip)
 * @self: a definition
 *
 * Returns: (transfer none): which variables say who a job is
 */
const JmVariableNames *
jm_scheduler_definition_get_variables (JmSchedulerDefinition *self)
{
  return self->variables;
}

/*
 * jm_scheduler_definition_get_identity_rules: (skip)
 * @self: a definition
 *
 * Returns: (transfer none): how its ids and users are to be understood
 */
const JmIdentityRules *
jm_scheduler_definition_get_identity_rules (JmSchedulerDefinition *self)
{
  return self->identity_rules;
}

/*
 * jm_scheduler_definition_get_lookup: (skip)
 * @self: a definition
 * @number: from 0
 *
 * Returns: (transfer none) (nullable): files of the scheduler's own that say who a job
 *   is; %NULL after the last
 */
const JmLookup *
jm_scheduler_definition_get_lookup (JmSchedulerDefinition *self, guint number)
{
  return number < self->lookups->len ? g_ptr_array_index (self->lookups, number) : NULL;
}

/*
 * jm_scheduler_definition_get_cluster_file: (skip)
 * @self: a definition
 *
 * Returns: (transfer none): which of the scheduler's own files say what the cluster is
 *   called
 */
const JmClusterFile *
jm_scheduler_definition_get_cluster_file (JmSchedulerDefinition *self)
{
  return self->cluster_file;
}

/*
 * jm_scheduler_definition_get_hook: (skip)
 * @self: a definition
 *
 * Returns: (transfer none): where hooks leave files about jobs
 */
const JmSchedulerHook *
jm_scheduler_definition_get_hook (JmSchedulerDefinition *self)
{
  return self->hook;
}

/*
 * jm_scheduler_definition_get_spool: (skip)
 * @self: a definition
 *
 * Returns: (transfer none): where it keeps a folder for each job; without directories
 *   where it does not
 */
const JmSchedulerSpool *
jm_scheduler_definition_get_spool (JmSchedulerDefinition *self)
{
  return &self->spool;
}

/*
 * jm_scheduler_definition_get_helpers: (skip)
 * @self: a definition
 *
 * Returns: (nullable): the scheduler's own processes, as
 *   jm_process_source_set_helpers() takes them
 */
const char *const *
jm_scheduler_definition_get_helpers (JmSchedulerDefinition *self)
{
  return (const char *const *) self->helpers;
}

/*
 * jm_scheduler_definition_get_advice: (skip)
 * @self: a definition
 * @topic: what a finding of the doctor is about, such as `cgroup.memory`
 *
 * Returns: (nullable): how this scheduler is brought to mend it, a sentence
 */
const char *
jm_scheduler_definition_get_advice (JmSchedulerDefinition *self, const char *topic)
{
  int i = find_topic (topic);

  return i >= 0 ? self->advice[i] : NULL;
}
