/* jmc-screen.c: a terminal that shows one page at a time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-screen.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "jmc-output.h"

#define DEFAULT_ROWS 24

/* The other page, no cursor, and lines that are cut rather than wrapped. */
#define ENTER "\033[?1049h\033[?25l\033[?7l"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"

/* Writing over the old page, and clearing only what is left of it, does not flicker. */
#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_REST "\033[J"

struct _JmcScreen
{
  gboolean is_entered;
  gboolean has_keyboard;
  struct termios termios; /* as we found it */
};

/* Whether the standard output is a terminal that knows what to do with our sequences.
 */
gboolean
jmc_screen_is_possible (void)
{
  const char *term = g_getenv ("TERM");

  return isatty (STDOUT_FILENO) && term != NULL && *term != '\0' &&
         !g_str_equal (term, "dumb");
}

JmcScreen *
jmc_screen_new (void)
{
  return g_new0 (JmcScreen, 1);
}

void
jmc_screen_free (JmcScreen *self)
{
  jmc_screen_leave (self);
  g_free (self);
}

/* May be called again, after somebody else had the terminal. */
void
jmc_screen_enter (JmcScreen *self)
{
  struct termios raw;

  if (!self->is_entered)
    self->has_keyboard = tcgetattr (STDIN_FILENO, &self->termios) == 0;
  self->is_entered = TRUE;

  if (self->has_keyboard)
    {
      raw = self->termios;
      raw.c_lflag &= ~(tcflag_t) (ICANON | ECHO);
      tcsetattr (STDIN_FILENO, TCSANOW, &raw);
    }
  jmc_output_print (ENTER);
  fflush (stdout);
}

void
jmc_screen_leave (JmcScreen *self)
{
  if (!self->is_entered)
    return;

  self->is_entered = FALSE;
  jmc_output_print (LEAVE);
  fflush (stdout);
  if (self->has_keyboard)
    tcsetattr (STDIN_FILENO, TCSANOW, &self->termios);
}

static guint
get_rows (void)
{
  struct winsize size;

  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
    return DEFAULT_ROWS;

  return size.ws_row;
}

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (const char *p = strchr (text, '\n'); p != NULL; p = strchr (p + 1, '\n'))
    n++;

  return n;
}

/* Shows the beginning of @text, which consists of whole lines: as many as there is room
 * for. The last row shows how many more there are. */
void
jmc_screen_show (JmcScreen *self, const char *text)
{
  g_autoptr (GString) page = g_string_new (HOME);
  guint rows = get_rows ();
  guint n_lines = count_lines (text);
  guint n_shown = n_lines > rows ? rows - 1 : n_lines;

  for (guint i = 0; i < n_shown; i++)
    {
      const char *end = strchr (text, '\n');

      g_string_append_len (page, text, end - text);
      /* a line feed in the last row would scroll */
      g_string_append (page, i + 1 < rows ? CLEAR_LINE "\r\n" : CLEAR_LINE);
      text = end + 1;
    }

  if (n_shown < rows)
    g_string_append (page, CLEAR_REST);
  if (n_shown < n_lines)
    g_string_append_printf (page, "(%u more lines)", n_lines - n_shown);

  jmc_output_print (page->str);
  fflush (stdout);
}
