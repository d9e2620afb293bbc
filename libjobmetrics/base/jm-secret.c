/* jm-secret.c: passwords and tokens that a file keeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-secret-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"

#define SECRET_MAX_BYTES 8192
/* The group may read, such as that of the daemon. */
#define FOREIGN_MODES (S_IWGRP | S_IRWXO)

static gboolean
check_hands (int fd, const char *path, GError **error)
{
  struct stat st;

  if (fstat (fd, &st) != 0)
    {
      jm_path_error_set_errno (error, path, errno);
      return FALSE;
    }

  if (!S_ISREG (st.st_mode))
    g_set_error (error, JM_ERROR, JM_ERROR_DENIED, "%s: not an ordinary file", path);
  else if ((st.st_mode & FOREIGN_MODES) != 0)
    g_set_error (error, JM_ERROR, JM_ERROR_DENIED,
                 "%s: holds a secret that others may read or change: mode %04o; "
                 "`chmod 0640` or less makes it fit",
                 path, (guint) st.st_mode & 07777);
  else
    return TRUE;

  return FALSE;
}

static gboolean
read_up_to (int fd, char *buffer, gsize size, gsize *length)
{
  gssize n;

  *length = 0;
  while (*length < size && (n = read (fd, buffer + *length, size - *length)) != 0)
    {
      if (n < 0)
        return FALSE;
      *length += (gsize) n;
    }

  return TRUE;
}

char *
jm_secret_read_open (int fd, const char *path, GError **error)
{
  g_autofree char *text = g_malloc (SECRET_MAX_BYTES + 1);
  gsize length;

  if (!check_hands (fd, path, error))
    return NULL;
  if (!read_up_to (fd, text, SECRET_MAX_BYTES + 1, &length))
    {
      jm_path_error_set_errno (error, path, errno);
      return NULL;
    }
  if (length > SECRET_MAX_BYTES)
    {
      jm_path_error_set_errno (error, path, EMSGSIZE);
      return NULL;
    }
  text[length] = '\0';
  if (!g_utf8_validate_len (text, length, NULL))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: not a text", path);
      return NULL;
    }

  return g_steal_pointer (&text);
}

/* A pipe in its place does not hang. */
static char *
read_file (const char *path, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  char *text;

  if (fd < 0)
    {
      jm_path_error_set_errno (error, path, errno);
      return NULL;
    }

  text = jm_secret_read_open (fd, path, error);
  close (fd);

  return text;
}

static gboolean
is_printable_line (const char *text)
{
  if (*text == '\0')
    return FALSE;

  for (; *text != '\0'; text++)
    {
      if (g_ascii_iscntrl (*text))
        return FALSE;
    }

  return TRUE;
}

char *
jm_secret_parse_token (const char *text, const char *path, GError **error)
{
  g_autofree char *token = g_strstrip (g_strdup (text));

  if (is_printable_line (token))
    return g_steal_pointer (&token);

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: not one line with a token",
               path);

  return NULL;
}

char *
jm_secret_read_token (const char *path, GError **error)
{
  g_autofree char *text = read_file (path, error);

  return text != NULL ? jm_secret_parse_token (text, path, error) : NULL;
}

static void
take_value (const char *line, const char *name, char **value)
{
  const char *equals = strchr (line, '=');
  g_autofree char *key = NULL;

  if (equals == NULL || *line == '#')
    return;

  key = g_strndup (line, (gsize) (equals - line));
  if (strcmp (g_strstrip (key), name) != 0)
    return;

  g_free (*value);
  *value = g_strstrip (g_strdup (equals + 1));
}

gboolean
jm_secret_parse_login (const char *text,
                       const char *path,
                       char **username,
                       char **password,
                       GError **error)
{
  g_autofree char *name = NULL;
  g_autofree char *word = NULL;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      take_value (g_strchug (lines[i]), "username", &name);
      take_value (lines[i], "password", &word);
    }

  if (name == NULL || word == NULL || !is_printable_line (name) ||
      !is_printable_line (word))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                   "%s: lacks a line username=... or password=...", path);
      return FALSE;
    }

  *username = g_steal_pointer (&name);
  *password = g_steal_pointer (&word);

  return TRUE;
}

gboolean
jm_secret_read_login (const char *path,
                      char **username,
                      char **password,
                      GError **error)
{
  g_autofree char *text = read_file (path, error);

  return text != NULL && jm_secret_parse_login (text, path, username, password, error);
}
