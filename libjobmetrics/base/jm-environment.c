/* jm-environment.c: what commands see of the environment
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-environment-private.h"

char **
jm_command_make_environment (const char *const *kept)
{
  static const char *const always[] = {
    "PATH", "HOME", "USER", "LOGNAME", "LD_LIBRARY_PATH", NULL
  };
  const char *const *const lists[] = { always, kept };
  char **environment = g_new0 (char *, 1);

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint k = 0; lists[i] != NULL && lists[i][k] != NULL; k++)
      {
        const char *value = g_getenv (lists[i][k]);

        if (value != NULL)
          environment = g_environ_setenv (environment, lists[i][k], value, TRUE);
      }
  environment = g_environ_setenv (environment, "LC_ALL", "C", TRUE);

  return g_environ_setenv (environment, "TZ", "UTC", TRUE);
}
