/* jm-error.c: what can go wrong, one code for each thing the caller can do
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-error-private.h"

#include <errno.h>

/**
 * jm_error_quark:
 *
 * Gets the error domain, see %JM_ERROR.
 *
 * Returns: the domain
 * Since: 0.1
 */
G_DEFINE_QUARK (jm_error, jm_error)

/**
 * jm_error_from_errno:
 * @error_number: a value of `errno`
 *
 * Classifies a failed system call by what a caller can do about it.
 *
 * Returns: the code
 * Since: 0.1
 */
JmError
jm_error_from_errno (int error_number)
{
  switch (error_number)
    {
    case ENOENT:
    case ENODEV: /* the cgroup was removed between open and read */
    case ESRCH:  /* the process ended between open and read */
    case ENOTDIR:
      return JM_ERROR_ABSENT;
    case EACCES:
    case EPERM:
      return JM_ERROR_DENIED;
    default:
      return JM_ERROR_UNAVAILABLE;
    }
}

gboolean
jm_error_refuse (GError **error, const char *problem, const char *value)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s", problem, value);

  return FALSE;
}
