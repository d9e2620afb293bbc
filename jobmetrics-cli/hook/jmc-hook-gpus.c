/* jmc-hook-gpus.c: a file for each accelerator, with the jobs that have it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "hook/jmc-hook-steps.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* As many, and as long, as are read. */
#define MAX_DEVICES 1024
#define FILE_MAX 4096
#define LIST_MAX 65536
#define NUMBER_DIGITS 4
#define UUID_MAX 80
#define PAUSE_US 5000

/* --- lists --- */

static gboolean
take_number (const char **p, guint *number)
{
  gsize digits = strspn (*p, "0123456789");

  if (digits == 0 || digits > NUMBER_DIGITS)
    return FALSE;

  *number = (guint) g_ascii_strtoull (*p, NULL, 10);
  *p += digits;

  return TRUE;
}

static gboolean
is_uuid (const char *word)
{
  return (g_str_has_prefix (word, "GPU-") || g_str_has_prefix (word, "MIG-")) &&
         strlen (word) <= UUID_MAX &&
         strspn (word, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-") == strlen (word);
}

/* `3`, `0-3`, or a uuid. */
static void
take_word (const char *word, GPtrArray *names)
{
  const char *p = word;
  guint first, last;

  if (is_uuid (word))
    g_ptr_array_add (names, g_strdup (word));
  if (!take_number (&p, &first))
    return;

  last = first;
  if (*p == '-')
    {
      p++;
      if (!take_number (&p, &last))
        return;
    }
  if (*p != '\0')
    return;

  for (guint i = first; i <= last && names->len < MAX_DEVICES; i++)
    g_ptr_array_add (names, g_strdup_printf ("%u", i));
}

GStrv
jmc_hook_gpus_list (const char *text)
{
  GPtrArray *names = g_ptr_array_new ();
  g_auto (GStrv) words = NULL;

  if (text != NULL && strlen (text) <= LIST_MAX)
    words = g_strsplit (text, ",", -1);
  for (char **word = words; word != NULL && *word != NULL; word++)
    if (names->len < MAX_DEVICES)
      take_word (*word, names);
  g_ptr_array_add (names, NULL);

  return (GStrv) g_ptr_array_free (names, FALSE);
}

/* --- files --- */

static gboolean
fail (const JmcHookDirectory *directory,
      const char *name,
      const char *problem,
      GError **error)
{
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s/%s: %s", directory->path,
               name, problem);

  return FALSE;
}

/* Two jobs of one device begin at once. */
static gboolean
lock (const JmcHookDirectory *directory, gint64 until_us, GError **error)
{
  while (flock (directory->fd, LOCK_EX | LOCK_NB) != 0)
    {
      if (errno != EWOULDBLOCK && errno != EINTR)
        return fail (directory, ".", g_strerror (errno), error);
      if (g_get_monotonic_time () >= until_us)
        return fail (directory, ".", "somebody else has it locked", error);
      g_usleep (PAUSE_US);
    }

  return TRUE;
}

static void
unlock (const JmcHookDirectory *directory)
{
  flock (directory->fd, LOCK_UN);
}

/* A file that is not there names no job; one that is none is left alone. */
static gboolean
read_text (const JmcHookDirectory *directory,
           const char *name,
           GString *text,
           GError **error)
{
  int fd = openat (directory->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat info;
  char bytes[FILE_MAX + 1];
  gssize n;

  if (fd < 0)
    return errno == ENOENT || fail (directory, name, g_strerror (errno), error);

  n = fstat (fd, &info) == 0 && S_ISREG (info.st_mode) ? read (fd, bytes, sizeof bytes)
                                                       : -1;
  close (fd);
  if (n < 0 || n > FILE_MAX || memchr (bytes, '\0', (gsize) n) != NULL)
    return fail (directory, name, "no small file of jobs", error);
  g_string_append_len (text, bytes, n);

  return TRUE;
}

/* Whatever else stands behind the id of a job is somebody's. */
static gboolean
names_job (const char *line, const char *job)
{
  gsize length = strlen (job);

  line += strspn (line, " \t");

  return strncmp (line, job, length) == 0 && strchr (" \t\r", line[length]) != NULL;
}

/* All lines but those of a job. */
static GString *
without (const GString *text, const char *job)
{
  g_auto (GStrv) lines = g_strsplit (text->str, "\n", -1);
  GString *rest = g_string_new (NULL);

  for (char **line = lines; *line != NULL; line++)
    if (**line != '\0' && !names_job (*line, job))
      g_string_append_printf (rest, "%s\n", *line);

  return rest;
}

static gboolean
put (const JmcHookDirectory *directory,
     const char *name,
     const char *job,
     gboolean is_added,
     GError **error)
{
  g_autoptr (GString) before = g_string_new (NULL);
  g_autoptr (GString) after = NULL;

  if (!read_text (directory, name, before, error))
    return FALSE;

  after = without (before, job);
  if (!is_added && after->len == before->len)
    return TRUE;
  if (!is_added && after->len == 0)
    return jmc_hook_directory_remove (directory, name, error);
  if (is_added)
    g_string_append_printf (after, "%s\n", job);
  if (after->len > FILE_MAX)
    return fail (directory, name, "it names too many jobs", error);

  return jmc_hook_directory_write (directory, name, after, error);
}

gboolean
jmc_hook_gpus_add (const JmcHookDirectory *directory,
                   const char *gpus,
                   const char *job,
                   gint64 until_us,
                   GError **error)
{
  g_auto (GStrv) names = jmc_hook_gpus_list (gpus);
  gboolean ok = TRUE;

  if (names[0] == NULL)
    return TRUE;
  if (!lock (directory, until_us, error))
    return FALSE;

  for (char **name = names; *name != NULL; name++)
    ok = put (directory, *name, job, TRUE, ok ? error : NULL) && ok;
  unlock (directory);

  return ok;
}

/* Those that are called like devices. */
static GPtrArray *
list_names (const JmcHookDirectory *directory)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  int fd = openat (directory->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = fd >= 0 ? fdopendir (fd) : NULL;
  struct dirent *entry;

  if (dir == NULL && fd >= 0)
    close (fd);
  while (dir != NULL && names->len < MAX_DEVICES && (entry = readdir (dir)) != NULL)
    if (g_ascii_isdigit (entry->d_name[0]) || is_uuid (entry->d_name))
      g_ptr_array_add (names, g_strdup (entry->d_name));
  if (dir != NULL)
    closedir (dir);

  return names;
}

gboolean
jmc_hook_gpus_remove (const JmcHookDirectory *directory,
                      const char *job,
                      gint64 until_us,
                      GError **error)
{
  g_autoptr (GPtrArray) names = NULL;
  gboolean ok = TRUE;

  if (!lock (directory, until_us, error))
    return FALSE;

  names = list_names (directory);
  for (guint i = 0; i < names->len; i++)
    ok = put (directory, names->pdata[i], job, FALSE, ok ? error : NULL) && ok;
  unlock (directory);

  return ok;
}
