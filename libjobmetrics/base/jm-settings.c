/* jm-settings.c: the values of settings, from the command line and from a file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-settings-private.h"

#include <string.h>

#include "base/jm-bounded-read-private.h"
#include "base/jm-error.h"
#include "base/jm-setting-private.h"

#define NO "no-"
#define PROPERTIES "[,PROPERTY=VALUE]..."
#define MAX_FILE_BYTES (1024 * 1024)
/* Of ASCII. */
#define N_LETTERS 128

typedef struct
{
  JmSetting setting;
  JmSettingOrigin origin;
  char *giver; /* who gave the value, as messages call it */
  GValue value;
} Entry;

struct _JmSettings
{
  GPtrArray *entries;          /* of Entry */
  GHashTable *by_name;         /* of Entry */
  Entry *by_letter[N_LETTERS]; /* of short options; NULL for none */
};

/* --- what there is --- */

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_value_unset (&entry->value);
  g_free (entry->giver);
  g_free (entry);
}

JmSettings *
jm_settings_new (void)
{
  JmSettings *self = g_new0 (JmSettings, 1);

  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);

  return self;
}

void
jm_settings_free (JmSettings *self)
{
  g_hash_table_unref (self->by_name);
  g_ptr_array_unref (self->entries);
  g_free (self);
}

void
jm_settings_add (JmSettings *self, const JmSetting *setting)
{
  Entry *entry = g_new0 (Entry, 1);

  entry->setting = *setting;
  g_value_init (&entry->value, jm_setting_get_value_type (setting));
  jm_setting_preset (setting, &entry->value);
  g_ptr_array_add (self->entries, entry);
  if (setting->name != NULL)
    g_hash_table_insert (self->by_name, (gpointer) entry->setting.name, entry);
}

void
jm_settings_add_rows (JmSettings *self, const JmSetting *rows, gsize n_rows)
{
  for (gsize i = 0; i < n_rows; i++)
    jm_settings_add (self, &rows[i]);
}

/* --- giving values --- */

static gboolean
refuse (GError **error, const char *giver, const char *value, const char *reason)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s%s%s: %s", giver,
               value != NULL ? "=" : "", value != NULL ? value : "", reason);

  return FALSE;
}

/* A value that somebody else with more to say gave before is still looked at, so that
 * what is wrong in a file does not wait for the day on which it counts. */
static gboolean
give (Entry *entry,
      JmSettingOrigin origin,
      const char *giver,
      const char *text,
      GError **error)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (GError) reason = NULL;

  g_value_init (&value, G_VALUE_TYPE (&entry->value));
  if (entry->setting.is_list && origin == entry->origin)
    g_value_copy (&entry->value, &value);
  if (!jm_setting_parse (&entry->setting, text, &value, &reason))
    return refuse (error, giver, text, reason->message);

  if (origin < entry->origin)
    return TRUE;

  g_value_copy (&value, &entry->value);
  entry->origin = origin;
  g_free (entry->giver);
  entry->giver = g_strdup (giver);

  return TRUE;
}

/* --- the command line --- */

static gboolean
on_option (const char *option, const char *text, gpointer data, GError **error)
{
  JmSettings *self = data;
  const gboolean is_short = option[1] != '-';
  Entry *entry = is_short ? self->by_letter[(guchar) option[1] % N_LETTERS]
                          : g_hash_table_lookup (self->by_name, option + strlen ("--"));

  if (entry != NULL)
    return give (entry, JM_SETTING_FROM_ARGUMENTS, option, text, error);

  entry = g_hash_table_lookup (self->by_name, option + strlen ("--" NO));

  return give (entry, JM_SETTING_FROM_ARGUMENTS, option, "false", error);
}

static const char *
make_help (const JmSetting *setting)
{
  g_autoptr (GString) help = g_string_new (setting->help);
  g_autofree char *choices =
    setting->choices != NULL ? g_strjoinv (", ", (char **) setting->choices) : NULL;
  const char *preset =
    setting->preset_help != NULL ? setting->preset_help : setting->preset;

  if (setting->choices != NULL)
    g_string_append_printf (help, ": %s", choices);
  if (setting->is_list)
    g_string_append (help, "; several times");
  if (preset != NULL && setting->argument != NULL)
    g_string_append_printf (help, " (default %s)", preset);

  /* GOption copies nothing */
  return g_intern_string (help->str);
}

/* Of one with properties its name alone, for the help of all options stands beside the
 * longest. */
static const char *
make_argument (const JmSetting *setting)
{
  const char *properties =
    setting->argument != NULL ? strstr (setting->argument, PROPERTIES) : NULL;
  g_autofree char *name =
    properties != NULL
      ? g_strndup (setting->argument, (gsize) (properties - setting->argument))
      : NULL;
  g_autofree char *argument = name != NULL ? g_strconcat (name, "[,…]", NULL) : NULL;

  return argument != NULL ? g_intern_string (argument) : setting->argument;
}

static void
add_option (const JmSetting *setting, char letter, GOptionGroup *group)
{
  gboolean is_flag = setting->kind == JM_SETTING_FLAG;
  gboolean is_path =
    setting->kind == JM_SETTING_FILE || setting->kind == JM_SETTING_DIRECTORY;
  g_autofree char *no = g_strconcat (NO, setting->name, NULL);
  const GOptionEntry entries[] = {
    { setting->name, letter,
      is_flag   ? G_OPTION_FLAG_NO_ARG
      : is_path ? G_OPTION_FLAG_FILENAME
                : G_OPTION_FLAG_NONE,
      G_OPTION_ARG_CALLBACK, on_option, make_help (setting), make_argument (setting) },
    { is_flag ? g_intern_string (no) : NULL, 0,
      G_OPTION_FLAG_NO_ARG | G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_CALLBACK, on_option,
      NULL, NULL },
    G_OPTION_ENTRY_NULL,
  };

  g_option_group_add_entries (group, entries);
}

void
jm_settings_add_option (JmSettings *self,
                        const char *name,
                        char letter,
                        GOptionGroup *group)
{
  Entry *entry = g_hash_table_lookup (self->by_name, name);

  if (letter != '\0')
    self->by_letter[(guchar) letter % N_LETTERS] = entry;
  add_option (&entry->setting, letter, group);
}

void
jm_settings_add_options (JmSettings *self, GOptionGroup *group)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = self->entries->pdata[i];

      if (entry->setting.name != NULL)
        add_option (&entry->setting, '\0', group);
    }
}

/* --- a configuration file --- */

static gboolean
read_key (JmSettings *self,
          const char *path,
          GKeyFile *file,
          const char *group,
          const char *key,
          GError **error)
{
  Entry *entry = g_hash_table_lookup (self->by_name, key);
  g_autofree char *giver = g_strdup_printf ("%s: [%s] %s", path, group, key);
  g_autoptr (GError) reason = NULL;
  g_auto (GStrv) values = NULL;

  if (entry == NULL)
    return refuse (error, giver, NULL, "no such setting");

  values = entry->setting.is_list
             ? g_key_file_get_string_list (file, group, key, NULL, &reason)
             : g_new0 (char *, 2);
  if (!entry->setting.is_list)
    values[0] = g_key_file_get_string (file, group, key, &reason);
  if (reason != NULL)
    return refuse (error, giver, NULL, reason->message);

  for (char **value = values; *value != NULL; value++)
    if (!give (entry, JM_SETTING_FROM_FILE, giver, *value, error))
      return FALSE;

  return TRUE;
}

gboolean
jm_settings_read_keys (JmSettings *self,
                       const char *path,
                       GKeyFile *file,
                       const char *group,
                       GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (file, group, NULL, NULL);
  /* GLib lists a key as often as it is there, and has the last value alone */
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (char **key = keys; key != NULL && *key != NULL; key++)
    if (g_hash_table_add (seen, *key) &&
        !read_key (self, path, file, group, *key, error))
      return FALSE;

  return TRUE;
}

gboolean
jm_settings_read_file (JmSettings *self,
                       const char *path,
                       const char *group,
                       GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (GBytes) bytes = jm_bounded_read_file (path, MAX_FILE_BYTES, &reason);
  const char *text;
  gsize length;

  if (bytes == NULL)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID, reason->message);
      return FALSE;
    }
  text = g_bytes_get_data (bytes, &length);

  return jm_settings_read_text (self, path, text, length, group, error);
}

gboolean
jm_settings_read_text (JmSettings *self,
                       const char *path,
                       const char *text,
                       gsize length,
                       const char *group,
                       GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) reason = NULL;

  if (length > 0 &&
      !g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, &reason))
    return refuse (error, path, NULL, reason->message);

  return jm_settings_read_keys (self, path, file, group, error);
}

/* --- checks --- */

static gboolean
check_directory (const Entry *entry, const char *path, GError **error)
{
  return path == NULL || g_file_test (path, G_FILE_TEST_IS_DIR) ||
         refuse (error, entry->giver, path, "not a directory");
}

static gboolean
check_directories (const Entry *entry, GError **error)
{
  char **paths;

  if (!entry->setting.is_list)
    return check_directory (entry, g_value_get_string (&entry->value), error);

  paths = g_value_get_boxed (&entry->value);
  for (char **path = paths; path != NULL && *path != NULL; path++)
    if (!check_directory (entry, *path, error))
      return FALSE;

  return TRUE;
}

gboolean
jm_settings_check (const JmSettings *self, GError **error)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = self->entries->pdata[i];

      if (entry->setting.kind == JM_SETTING_DIRECTORY &&
          entry->origin != JM_SETTING_PRESET && !check_directories (entry, error))
        return FALSE;
    }

  return TRUE;
}

gboolean
jm_settings_refuse (const JmSettings *self,
                    const char *name,
                    const char *value,
                    const char *reason,
                    GError **error)
{
  const Entry *entry = g_hash_table_lookup (self->by_name, name);

  return refuse (error, entry->giver != NULL ? entry->giver : name, value, reason);
}

/* --- reading values --- */

gsize
jm_settings_get_size (const JmSettings *self)
{
  return self->entries->len;
}

const JmSetting *
jm_settings_get_setting (const JmSettings *self, gsize i)
{
  const Entry *entry = self->entries->pdata[i];

  return &entry->setting;
}

const GValue *
jm_settings_get_value (const JmSettings *self, gsize i)
{
  const Entry *entry = self->entries->pdata[i];

  return &entry->value;
}

static const Entry *
find (const JmSettings *self, const char *name)
{
  const Entry *entry = g_hash_table_lookup (self->by_name, name);

  if (entry == NULL)
    g_error ("no such setting: %s", name);

  return entry;
}

gboolean
jm_settings_has (const JmSettings *self, const char *name)
{
  return g_hash_table_contains (self->by_name, name);
}

gboolean
jm_settings_is_given (const JmSettings *self, const char *name)
{
  return find (self, name)->origin != JM_SETTING_PRESET;
}

gboolean
jm_settings_get_flag (const JmSettings *self, const char *name)
{
  return g_value_get_boolean (&find (self, name)->value);
}

guint
jm_settings_get_number (const JmSettings *self, const char *name)
{
  return g_value_get_uint (&find (self, name)->value);
}

const char *
jm_settings_get_text (const JmSettings *self, const char *name)
{
  return g_value_get_string (&find (self, name)->value);
}

const char *const *
jm_settings_get_list (const JmSettings *self, const char *name)
{
  return g_value_get_boxed (&find (self, name)->value);
}

/* --- for generators --- */

static const char *const kind_names[] = {
  [JM_SETTING_FLAG] = "flag",           [JM_SETTING_COUNT] = "count",
  [JM_SETTING_DURATION] = "duration",   [JM_SETTING_CHOICE] = "choice",
  [JM_SETTING_TEXT] = "text",           [JM_SETTING_FILE] = "file",
  [JM_SETTING_DIRECTORY] = "directory",
};

static const char *
or_nothing (const char *text)
{
  return text != NULL ? text : "";
}

static void
describe (const JmSetting *setting, GString *out)
{
  g_autofree char *choices =
    setting->choices != NULL ? g_strjoinv (",", (char **) setting->choices) : NULL;

  g_string_append_printf (out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.10g\t%.10g\t%s\t%s\n",
                          setting->name, or_nothing (setting->group),
                          kind_names[setting->kind], setting->is_list ? "list" : "",
                          or_nothing (setting->argument), or_nothing (setting->preset),
                          or_nothing (setting->preset_help), setting->low,
                          setting->high, or_nothing (choices), setting->help);
}

char *
jm_settings_describe (const JmSettings *self)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = self->entries->pdata[i];

      if (entry->setting.name != NULL)
        describe (&entry->setting, out);
    }

  return g_string_free (out, FALSE);
}
