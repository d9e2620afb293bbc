/* jm-path-error.c: errors that name a file and quote what it said
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-path-error-private.h"

#include <errno.h>
#include <string.h>

#include "base/jm-error.h"

#define QUOTE_MAX 64

/**
 * jm_path_error_set_errno:
 * @error: return location for an error
 * @path: the real path
 * @error_number: a value of `errno`
 *
 * Sets an error for a failed system call. `EMSGSIZE` is ours: the file holds more than
 * its format allows.
 */
void
jm_path_error_set_errno (GError **error, const char *path, int error_number)
{
  g_autofree char *name = g_filename_display_name (path);

  if (error_number == EMSGSIZE)
    g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: longer than expected", name);
  else
    g_set_error (error, JM_ERROR, (int) jm_error_from_errno (error_number), "%s: %s",
                 name, g_strerror (error_number));
}

/**
 * jm_path_error_set_malformed:
 * @error: return location for an error
 * @path: the real path
 * @problem: what is wrong with the text, such as `not a number`
 * @text: what was read
 * @length: of @text
 *
 * Sets `MALFORMED` with the start of what was read, made fit to print.
 */
void
jm_path_error_set_malformed (GError **error,
                             const char *path,
                             const char *problem,
                             const char *text,
                             gsize length)
{
  g_autofree char *name = g_filename_display_name (path);
  g_autofree char *start = NULL;
  g_autofree char *quote = NULL;

  if (length > 0 && text[length - 1] == '\n')
    length--;

  start = g_strndup (text, MIN (length, QUOTE_MAX));
  quote = g_strescape (start, NULL);
  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: %s: %s%s", name, problem,
               quote, length > QUOTE_MAX ? "..." : "");
}
