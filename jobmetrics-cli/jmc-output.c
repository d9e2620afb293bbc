/* jmc-output.c: what goes to the terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-output.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/jm-safe-text-private.h"
#include "base/jm-text-width-private.h"

/* See https://no-color.org: set and not empty. */
static gboolean
is_color_unwanted (void)
{
  const char *no_color = g_getenv ("NO_COLOR");

  return (no_color != NULL && *no_color != '\0') ||
         g_strcmp0 (g_getenv ("TERM"), "dumb") == 0;
}

gboolean
jmc_output_has_color (JmcColor color, int fd)
{
  if (color == JMC_COLOR_AUTO)
    return isatty (fd) && !is_color_unwanted ();

  return color == JMC_COLOR_ALWAYS;
}

/* The columns of the terminal @fd, or 0 for what is not a terminal. */
guint
jmc_output_get_width (int fd)
{
  struct winsize size;

  if (ioctl (fd, TIOCGWINSZ, &size) != 0)
    return 0;

  return size.ws_col;
}

/* Prints @text in the charset of the locale. */
void
jmc_output_print (const char *text)
{
  g_print ("%s", text);
}

/* Brings what was printed out. FALSE once something could not be. */
gboolean
jmc_output_flush (void)
{
  return fflush (stdout) == 0 && !ferror (stdout);
}

/* Whether nobody reads the standard output any more. errno does not show it: what was
 * printed since has changed it. */
static gboolean
is_reader_gone (void)
{
  struct pollfd output = { .fd = STDOUT_FILENO };

  return poll (&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

/* Brings what was printed out. Returns @status, or a failure where that could not be
 * done: a full disk must not look like success. A reader that has had enough is not
 * worth a word. */
int
jmc_output_finish (int status)
{
  if (jmc_output_flush ())
    return status;

  if (is_reader_gone ())
    return JMC_EXIT_SIGNAL + SIGPIPE;

  jmc_output_complain ("cannot write to the standard output: %s", g_strerror (errno));

  return status != JMC_EXIT_OK ? status : JMC_EXIT_FAILURE;
}

/* One message on the standard error; a hostile file name in it steers no terminal. A
 * terminal has it in whole words, anything else in one line. */
void
jmc_output_complain (const char *format, ...)
{
  const int number = errno; /* of a write that failed before */
  const guint width = jmc_output_get_width (STDERR_FILENO);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *message = NULL;
  g_autofree char *safe = NULL;
  g_autofree char *line = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);

  safe = jm_safe_text_make (message);
  line = g_strdup_printf ("jobmetrics-cli: %s", safe);
  jm_text_width_append_wrapped (text, line, width > 0 ? width : G_MAXUINT);
  g_printerr ("%s", text->str);
  errno = number;
}
