/* jm-spool-file.c: what a scheduler writes in its spool directories
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-spool-file-private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/jm-bounded-read-private.h"
#include "base/jm-error.h"
#include "base/jm-parse-private.h"
#include "base/jm-path-error-private.h"
#include "host/jm-host-private.h"
#include "host/jm-trust-private.h"

/* Grid Engine's gid_range is greater than 99: below are the groups of systems. */
#define SLOTS_MAX 1000000
#define GROUP_MIN 100
#define GROUP_MAX (G_MAXUINT32 - 1)

/* More than any machine spends in its life. */
#define SECONDS_MAX G_GUINT64_CONSTANT (1000000000)

/* --- trust --- */

static int
open_logical (JmHost *host, const char *path, int flags, GError **error)
{
  char real[PATH_MAX];
  int fd = jm_host_map_path (host, path, real);

  if (fd == 0)
    fd = jm_host_open_real (host, real, O_CLOEXEC | flags);
  if (fd < 0)
    jm_path_error_set_errno (error, path, -fd);

  return fd;
}

static gboolean
stat_directory (JmHost *host, const char *path, struct stat *st, GError **error)
{
  int fd = open_logical (host, path, O_PATH | O_DIRECTORY, error);
  int result;

  if (fd < 0)
    return FALSE;

  result = fstat (fd, st);
  if (result != 0)
    jm_path_error_set_errno (error, path, errno);
  close (fd);

  return result == 0;
}

/* In a sticky one nobody replaces what is another's. */
static gboolean
check_one (JmHost *host, const char *path, guint admin, GError **error)
{
  struct stat st;

  if (!stat_directory (host, path, &st, error))
    return FALSE;
  if ((st.st_mode & S_ISVTX) != 0)
    st.st_mode &= ~(mode_t) (S_IWGRP | S_IWOTH);

  return jm_trust_check (host, &st, S_IFDIR, admin, path, error);
}

/* Leaves the directory above; %FALSE of the root. */
static gboolean
go_up (char *path)
{
  char *slash = strrchr (path, '/');

  if (slash == NULL || g_str_equal (path, "/"))
    return FALSE;

  slash[slash == path ? 1 : 0] = '\0';

  return TRUE;
}

gboolean
jm_spool_check_directory (JmHost *host, const char *path, guint *admin, GError **error)
{
  g_autofree char *above = g_strdup (path);
  struct stat st;

  if (!stat_directory (host, path, &st, error))
    return FALSE;

  *admin = st.st_uid;
  do
    if (!check_one (host, above, *admin, error))
      return FALSE;
  while (go_up (above));

  return TRUE;
}

char *
jm_spool_read_file (JmHost *host,
                    const char *path,
                    guint admin,
                    gsize max,
                    gsize *length,
                    guint64 *moment,
                    GError **error)
{
  int fd =
    open_logical (host, path, O_RDONLY | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, error);
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_read = FALSE;
  struct stat st;

  if (fd < 0)
    return NULL;

  if (fstat (fd, &st) != 0)
    jm_path_error_set_errno (error, path, errno);
  else if (jm_trust_check (host, &st, S_IFREG, admin, path, error))
    is_read = jm_bounded_read (fd, max, text, path, error);
  close (fd);
  if (!is_read)
    return NULL;

  if (moment != NULL)
    *moment = (guint64) st.st_mtim.tv_sec * 1000000000 + (guint64) st.st_mtim.tv_nsec +
              (guint64) st.st_ino;
  *length = text->len;

  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- what is in the files --- */

/* A number without its line feed may be the half of another. */
gboolean
jm_spool_parse_group (const char *text, gsize length, guint *group)
{
  guint64 value;

  if (length == 0 || text[length - 1] != '\n' ||
      !jm_parse_uint64 (text, length, &value) || value < GROUP_MIN || value > GROUP_MAX)
    return FALSE;

  *group = (guint) value;

  return TRUE;
}

/* `12`, `12.5` or `12.345678`; what is below a nanosecond is cut off. */
static gboolean
parse_seconds (JmSlice text, guint64 *ns)
{
  guint64 unit = 1000000000;
  guint64 value = 0;
  gsize i = 0;

  for (; i < text.length && g_ascii_isdigit (text.text[i]); i++)
    {
      value = value * 10 + (guint64) (text.text[i] - '0');
      if (value > SECONDS_MAX)
        return FALSE;
    }
  if (i == 0)
    return FALSE;

  value *= unit;
  if (i < text.length && text.text[i] == '.')
    for (i++; i < text.length && g_ascii_isdigit (text.text[i]); i++)
      {
        unit /= 10;
        value += (guint64) (text.text[i] - '0') * unit;
      }

  *ns = value;

  return i == text.length;
}

static gboolean
take_value (JmSlice line, const char *name, guint64 *ns)
{
  gsize length = strlen (name);

  return line.length > length && memcmp (line.text, name, length) == 0 &&
         parse_seconds ((JmSlice){ line.text + length, line.length - length }, ns);
}

gboolean
jm_spool_parse_usage (const char *text,
                      gsize length,
                      guint64 *user_ns,
                      guint64 *system_ns)
{
  gboolean has_user = FALSE, has_system = FALSE;
  const char *cursor = text;
  JmSlice line;

  /* half a number is another one: the last line has to be whole */
  while (jm_parse_next_whole_line (&cursor, text + length, &line))
    {
      has_user |= take_value (line, "ru_utime=", user_ns);
      has_system |= take_value (line, "ru_stime=", system_ns);
    }

  return has_user && has_system;
}

/* Without the domain, which one of the two may have and the other not. */
static JmSlice
get_first_label (JmSlice name)
{
  const char *dot = memchr (name.text, '.', name.length);

  return (JmSlice){ name.text, dot != NULL ? (gsize) (dot - name.text) : name.length };
}

static gboolean
is_same_host (JmSlice a, JmSlice b)
{
  a = get_first_label (a);
  b = get_first_label (b);

  return a.length == b.length && g_ascii_strncasecmp (a.text, b.text, a.length) == 0;
}

static gboolean
take_slots (JmSlice line, JmSlice *host, guint *n_slots)
{
  const char *cursor = line.text;
  const char *end = line.text + line.length;
  JmSlice word;
  guint64 value;

  if (!jm_parse_next_word (&cursor, end, host) ||
      !jm_parse_next_word (&cursor, end, &word) ||
      !jm_parse_uint64 (word.text, word.length, &value) || value > SLOTS_MAX)
    return FALSE;

  *n_slots = (guint) value;
  return TRUE;
}

gboolean
jm_spool_parse_slots (const char *text,
                      gsize length,
                      const char *node_name,
                      guint *n_slots)
{
  JmSlice node = { node_name, node_name != NULL ? strlen (node_name) : 0 };
  const char *cursor = text;
  gboolean is_one_host = TRUE;
  guint n_here = 0, n_all = 0;
  JmSlice first = { NULL, 0 };
  JmSlice line, host;
  guint n;

  while (jm_parse_next_whole_line (&cursor, text + length, &line))
    {
      if (!take_slots (line, &host, &n))
        return FALSE;
      if (first.text == NULL)
        first = host;
      is_one_host = is_one_host && is_same_host (first, host);
      n_all = MIN (n_all + n, SLOTS_MAX);
      if (node.text != NULL && is_same_host (node, host))
        n_here = MIN (n_here + n, SLOTS_MAX);
    }

  *n_slots = is_one_host ? n_all : n_here;

  return *n_slots > 0;
}
