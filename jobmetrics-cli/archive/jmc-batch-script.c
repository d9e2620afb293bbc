/* jmc-batch-script.c: the options of sbatch that a script has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-batch-script.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>

#define MARK "#SBATCH"
/* sbatch takes any beginning of a long option that no other one has. */
#define LEAST_JOB_NAME "--j"
#define JOB_NAME "--job-name"

static gboolean
is_job_name (const char *word, gsize length)
{
  return length >= strlen (LEAST_JOB_NAME) && length <= strlen (JOB_NAME) &&
         strncmp (word, JOB_NAME, length) == 0;
}

static void
take_name (JmcBatchScript *self, const char *name)
{
  if (name == NULL || *name == '\0')
    return;
  g_free (self->job_name);
  self->job_name = g_strdup (name);
}

/* The word behind an option may be its value. */
static void
take_option (JmcBatchScript *self, const char *word, const char *next)
{
  const char *value = strchr (word, '=');
  const gsize length = value != NULL ? (gsize) (value - word) : strlen (word);

  if (g_str_has_prefix (word, "--mem-per-cpu"))
    self->memory_option = "--mem-per-cpu";
  else if (g_str_has_prefix (word, "--mem-per-gpu"))
    self->memory_option = "--mem-per-gpu";
  else if (is_job_name (word, length))
    take_name (self, value != NULL ? value + 1 : next);
  else if (g_str_has_prefix (word, "-J"))
    take_name (self, word[2] != '\0' ? word + 2 : next);
}

static void
take_options (JmcBatchScript *self, const char *text)
{
  g_auto (GStrv) words = NULL;

  if (!g_utf8_validate (text, -1, NULL) ||
      !g_shell_parse_argv (text, NULL, &words, NULL))
    return;
  for (char **word = words; *word != NULL; word++)
    take_option (self, *word, word[1]);
}

/* Options stand in comments above the first command. */
static gboolean
is_above_commands (const char *line)
{
  const char *text = line + strspn (line, " \t\r");

  return *text == '\0' || *text == '#';
}

void
jmc_batch_script_parse (JmcBatchScript *self, const char *text, gsize length)
{
  const char *const end = text + length;

  while (text < end)
    {
      const char *stop = memchr (text, '\n', (gsize) (end - text));
      const gsize size = (gsize) ((stop != NULL ? stop : end) - text);
      g_autofree char *line = g_strndup (text, size);

      if (!is_above_commands (line))
        return;
      if (g_str_has_prefix (line, MARK))
        take_options (self, line + strlen (MARK));
      text += size + 1;
    }
}

gboolean
jmc_batch_script_read (JmcBatchScript *self, const char *path, GError **error)
{
  g_autofree char *text = g_malloc (JMC_BATCH_SCRIPT_MAX_BYTES);
  FILE *file = g_fopen (path, "re");
  gsize length;

  if (file == NULL)
    {
      const int code = errno;

      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s: %s", path,
                   g_strerror (code));
      return FALSE;
    }
  length = fread (text, 1, JMC_BATCH_SCRIPT_MAX_BYTES, file);
  fclose (file);

  jmc_batch_script_parse (self, text, length);
  if (self->job_name == NULL)
    self->job_name = g_path_get_basename (path);

  return TRUE;
}

void
jmc_batch_script_clear (JmcBatchScript *self)
{
  g_clear_pointer (&self->job_name, g_free);
}
