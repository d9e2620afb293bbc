/* jm-secret-file.c: passwords and tokens that a file of a host keeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-secret-file-private.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "base/jm-secret-private.h"
#include "host/jm-host-private.h"

static char *
read_secret (JmHost *host, const char *path, GError **error)
{
  g_autofree char *real = jm_host_resolve (host, path);
  char *text;
  int fd;

  if (real == NULL)
    {
      jm_path_error_set_errno (error, path, ENAMETOOLONG);
      return NULL;
    }

  fd = jm_host_open_real (host, real, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0)
    {
      jm_path_error_set_errno (error, real, -fd);
      return NULL;
    }

  text = jm_secret_read_open (fd, real, error);
  close (fd);

  return text;
}

char *
jm_secret_file_read_token (JmHost *host, const char *path, GError **error)
{
  g_autofree char *text = read_secret (host, path, error);

  return text != NULL ? jm_secret_parse_token (text, path, error) : NULL;
}

gboolean
jm_secret_file_read_login (JmHost *host,
                           const char *path,
                           char **username,
                           char **password,
                           GError **error)
{
  g_autofree char *text = read_secret (host, path, error);

  return text != NULL && jm_secret_parse_login (text, path, username, password, error);
}

void
jm_secret_file_advise (const GError *error, JmAdvice *advice)
{
  if (!g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    return;

  jm_advice_add (advice, "chmod 0640, with a group that the daemon is in", NULL);
  jm_advice_add (advice, "hand it on by systemd", "credentials.conf");
}
