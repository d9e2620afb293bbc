/* jmc-top-screen.c: a terminal that top has to itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-screen.h"

#include <curses.h>
#include <gio/gio.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "top/jmc-top-control.h"

#define ESCAPE_MS 25
#define PAIR_WARN 1
#define PAIR_ALARM 2

struct _JmcTopScreen
{
  SCREEN *screen;
  gboolean has_color;
};

static void
start_colors (JmcTopScreen *self, JmcColor color)
{
  self->has_color = jmc_output_has_color (color, STDOUT_FILENO) && has_colors ();
  if (!self->has_color)
    return;

  start_color ();
  use_default_colors ();
  init_pair (PAIR_WARN, COLOR_YELLOW, -1);
  init_pair (PAIR_ALARM, COLOR_RED, -1);
}

/* Takes the terminal. Errors: where there is none, or one of an unknown kind. */
JmcTopScreen *
jmc_top_screen_open (JmcColor color, GError **error)
{
  const char *term = g_getenv ("TERM");
  JmcTopScreen *self;
  SCREEN *screen;

  if (!isatty (STDIN_FILENO) || !isatty (STDOUT_FILENO))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                   "this is not a terminal (--once prints a single page)");
      return NULL;
    }

  screen = newterm (NULL, stdout, stdin);
  if (screen == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                   "TERM=%s: not a known terminal (--once prints a single page)",
                   term != NULL ? term : "");
      return NULL;
    }

  self = g_new0 (JmcTopScreen, 1);
  self->screen = screen;
  set_term (screen);
  set_escdelay (ESCAPE_MS);
  /* Not cbreak(): Ctrl-\ would end us with the terminal left as it is. */
  raw ();
  noecho ();
  nonl ();
  keypad (stdscr, TRUE);
  nodelay (stdscr, TRUE);
  curs_set (0);
  start_colors (self, color);

  return self;
}

/* Gives the terminal back as it was. */
void
jmc_top_screen_close (JmcTopScreen *self)
{
  endwin ();
  delscreen (self->screen);
  g_free (self);
}

/* Asks the terminal each time: no signal of a change comes while we are stopped. */
void
jmc_top_screen_get_size (JmcTopScreen *self, guint *width, guint *height)
{
  struct winsize size;

  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 &&
      size.ws_col > 0 && is_term_resized (size.ws_row, size.ws_col))
    resizeterm (size.ws_row, size.ws_col);

  *width = (guint) COLS;
  *height = (guint) LINES;
}

static guint32
translate (wint_t key)
{
  static const struct
  {
    wint_t theirs;
    JmcTopKey ours;
  } keys[] = {
    { KEY_UP, JMC_TOP_KEY_UP },         { KEY_DOWN, JMC_TOP_KEY_DOWN },
    { KEY_LEFT, JMC_TOP_KEY_LEFT },     { KEY_RIGHT, JMC_TOP_KEY_RIGHT },
    { KEY_PPAGE, JMC_TOP_KEY_PAGE_UP }, { KEY_NPAGE, JMC_TOP_KEY_PAGE_DOWN },
    { KEY_HOME, JMC_TOP_KEY_HOME },     { KEY_END, JMC_TOP_KEY_END },
    { KEY_ENTER, JMC_TOP_KEY_ENTER },   { KEY_BACKSPACE, JMC_TOP_KEY_BACKSPACE },
    { KEY_F (1), JMC_TOP_KEY_HELP },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].theirs == key)
      return keys[i].ours;

  return JMC_TOP_KEY_NONE;
}

static guint32
translate_character (wint_t character)
{
  switch (character)
    {
    case '\r':
    case '\n':
      return JMC_TOP_KEY_ENTER;
    case '\b':
    case 127:
      return JMC_TOP_KEY_BACKSPACE;
    default:
      return character;
    }
}

/* The next key that was pressed, as jmc_top_control_press() has them. */
guint32
jmc_top_screen_read_key (JmcTopScreen *self, gboolean *is_key)
{
  wint_t key;
  int result = get_wch (&key);

  *is_key = result != ERR;

  return result == KEY_CODE_YES ? translate (key) : translate_character (key);
}

static attr_t
get_attributes (JmcTopScreen *self, JmcTopStyle style)
{
  attr_t attributes = A_NORMAL;

  if (style & JMC_TOP_BOLD)
    attributes |= A_BOLD;
  if (style & JMC_TOP_DIM)
    attributes |= A_DIM;
  if (style & JMC_TOP_REVERSE)
    attributes |= A_REVERSE;
  /* Bold, so that it is seen without colours as well. */
  if (style & (JMC_TOP_WARN | JMC_TOP_ALARM))
    attributes |= A_BOLD;
  if (self->has_color && (style & JMC_TOP_WARN))
    attributes |= COLOR_PAIR (PAIR_WARN);
  if (self->has_color && (style & JMC_TOP_ALARM))
    attributes |= COLOR_PAIR (PAIR_ALARM);

  return attributes;
}

/* As the terminal's own character set has it. */
static char *
encode (const char *text)
{
  const char *charset;

  if (g_get_charset (&charset))
    return g_strdup (text);

  return g_convert_with_fallback (text, -1, charset, "UTF-8", "?", NULL, NULL, NULL);
}

/* Each span is put where it belongs: should the terminal hold another view of how wide
 * a character is, no column but its own suffers. */
void
jmc_top_screen_draw (JmcTopScreen *self, JmcTopFrame *frame)
{
  erase ();
  for (guint i = 0; i < jmc_top_frame_get_n_spans (frame); i++)
    {
      const JmcTopSpan *span = jmc_top_frame_get_span (frame, i);
      g_autofree char *text = encode (span->text);

      attrset (get_attributes (self, span->style));
      mvaddstr ((int) span->y, (int) span->x, text != NULL ? text : "?");
    }
  attrset (A_NORMAL);
  refresh ();
}
