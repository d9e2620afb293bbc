/* jmc-watch.c: a node as it is now, once or again and again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-watch.h"

#include <errno.h>
#include <glib-unix.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
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

/* Screen:
 *
 * While it is entered, the terminal shows our pages in place of what was there before,
 * and what is typed comes to us key by key, unseen. */
typedef struct
{
  gboolean is_entered;
  gboolean has_keyboard;
  struct termios termios; /* as we found it */
} Screen;

#define DEFAULT_SECONDS "2"
#define MIN_SECONDS 0.1
#define MAX_SECONDS 86400.0
#define CONTROL_D 4

typedef struct
{
  const JmcWatch *watch;
  const JmcView *view;
  JmNode *node;
  Screen *screen;       /* NULL where lines follow each other */
  JmSnapshot *snapshot; /* what is on the screen */
  GMainLoop *loop;
  gboolean is_first;
  gboolean is_over;
  int status;
} Session;

/* --- the screen --- */

/* Whether the standard output is a terminal that knows what to do with our sequences.
 */
static gboolean
screen_is_possible (void)
{
  const char *term = g_getenv ("TERM");

  return isatty (STDOUT_FILENO) && term != NULL && *term != '\0' &&
         !g_str_equal (term, "dumb");
}

static Screen *
screen_new (void)
{
  return g_new0 (Screen, 1);
}

static void
screen_leave (Screen *self)
{
  if (!self->is_entered)
    return;

  self->is_entered = FALSE;
  jmc_output_print (LEAVE);
  fflush (stdout);
  if (self->has_keyboard)
    tcsetattr (STDIN_FILENO, TCSANOW, &self->termios);
}

static void
screen_free (Screen *self)
{
  screen_leave (self);
  g_free (self);
}

/* May be called again, after somebody else had the terminal. */
static void
screen_enter (Screen *self)
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
static void
screen_show (Screen *self, const char *text)
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

/* --- options --- */

void
jmc_watch_clear (JmcWatch *self)
{
  g_clear_pointer (&self->text, g_free);
}

/* GOption takes the word after an option for its value, though that may be left out;
 * after --watch it is a job id. */
char **
jmc_watch_copy_arguments (int argc, char **argv)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (int i = 0; i < argc; i++)
    g_strv_builder_add (builder, g_str_equal (argv[i], "--watch")
                                   ? "--watch=" DEFAULT_SECONDS
                                   : argv[i]);

  return g_strv_builder_end (builder);
}

/* --watch. */
void
jmc_watch_add_entries (JmcWatch *self, GOptionGroup *group)
{
  const GOptionEntry entries[] = {
    { "watch", 0, 0, G_OPTION_ARG_STRING, &self->text,
      "Refresh at this interval (default " DEFAULT_SECONDS " s) until Ctrl-C or q",
      "SECONDS" },
    { NULL },
  };

  jmc_options_add_entries (group, entries);
}

/* FALSE, and has reported why, where the option is invalid. */
gboolean
jmc_watch_parse (JmcWatch *self)
{
  char *end;

  if (self->text == NULL)
    return TRUE;

  self->interval = g_ascii_strtod (self->text, &end);
  if (end != self->text && *end == '\0' && isfinite (self->interval) &&
      self->interval >= MIN_SECONDS && self->interval <= MAX_SECONDS)
    return TRUE;

  jmc_output_complain ("--watch=%s: not a number of seconds between %g and %g",
                       self->text, MIN_SECONDS, MAX_SECONDS);

  return FALSE;
}

/* --- showing --- */

static void
end (Session *self, int status)
{
  self->is_over = TRUE;
  self->status = status;
  if (self->loop != NULL)
    g_main_loop_quit (self->loop);
}

static void
append_headline (Session *self, GString *text)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%H:%M:%S");

  g_string_append_printf (text, "%s  %s  every %g s, q ends\n\n", g_get_prgname (),
                          time, self->watch->interval);
}

static gboolean
show_page (Session *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean goes_on;

  append_headline (self, text);
  goes_on = self->view->draw (self->snapshot, TRUE, text, self->view->data);
  screen_show (self->screen, text->str);

  return goes_on;
}

static gboolean
print (Session *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean goes_on = self->view->draw (self->snapshot, FALSE, text, self->view->data);

  if (!self->is_first && !self->watch->is_stream)
    jmc_output_print ("\n");
  if (self->watch->is_stream)
    fputs (text->str, stdout);
  else
    jmc_output_print (text->str);

  if (self->is_first && self->view->complain != NULL)
    {
      jmc_output_flush ();
      self->view->complain (self->snapshot, self->view->data);
    }

  return goes_on;
}

static void
show (Session *self)
{
  gboolean goes_on = self->screen != NULL ? show_page (self) : print (self);

  self->is_first = FALSE;
  if (goes_on && jmc_output_flush ())
    return;

  /* what the last page said of it is gone with the page */
  if (self->screen != NULL && self->view->complain != NULL)
    {
      g_clear_pointer (&self->screen, screen_free);
      self->view->complain (self->snapshot, self->view->data);
    }
  end (self, JMC_EXIT_OK);
}

static gboolean
look (gpointer data)
{
  Session *self = data;
  g_autoptr (GError) error = NULL;
  JmSnapshot *snapshot = jm_node_sample (self->node, NULL, &error);

  if (snapshot == NULL)
    {
      end (self, JMC_EXIT_FAILURE);
      g_clear_pointer (&self->screen, screen_free);
      jmc_output_complain ("%s", error->message);
      return G_SOURCE_REMOVE;
    }

  g_clear_pointer (&self->snapshot, jm_snapshot_unref);
  self->snapshot = snapshot;
  show (self);

  return G_SOURCE_CONTINUE;
}

/* --- what happens meanwhile --- */

static gboolean
on_jobs (int fd, GIOCondition condition, gpointer data)
{
  Session *self = data;

  jm_node_follow (self->node);

  return G_SOURCE_CONTINUE;
}

static gboolean
on_key (int fd, GIOCondition condition, gpointer data)
{
  Session *self = data;
  char key;

  if (read (fd, &key, 1) != 1)
    return G_SOURCE_REMOVE;

  if (key == 'q' || key == 'Q' || key == CONTROL_D)
    end (self, JMC_EXIT_OK);

  return G_SOURCE_CONTINUE;
}

/* While we stand still the terminal is somebody else's. */
static void
pause_session (Session *self)
{
  if (self->screen != NULL)
    screen_leave (self->screen);
  raise (SIGSTOP);
}

static gboolean
on_signal (int fd, GIOCondition condition, gpointer data)
{
  Session *self = data;
  struct signalfd_siginfo info;

  if (read (fd, &info, sizeof info) != sizeof info)
    return G_SOURCE_CONTINUE;

  switch (info.ssi_signo)
    {
    case SIGTSTP:
      pause_session (self);
      break;
    case SIGCONT:
      if (self->screen != NULL)
        screen_enter (self->screen);
      G_GNUC_FALLTHROUGH;
    case SIGWINCH:
      if (self->screen != NULL)
        show (self);
      break;
    case SIGINT:
      end (self, JMC_EXIT_OK);
      break;
    default:
      end (self, JMC_EXIT_SIGNAL + (int) info.ssi_signo);
      break;
    }

  return G_SOURCE_CONTINUE;
}

static int
open_signals (void)
{
  static const int signals[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
                                 SIGTSTP, SIGCONT, SIGWINCH };
  sigset_t set;

  sigemptyset (&set);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    sigaddset (&set, signals[i]);
  sigprocmask (SIG_BLOCK, &set, NULL);

  return signalfd (-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void
add_sources (Session *self, int signals)
{
  int jobs = jm_node_get_event_fd (self->node);

  g_timeout_add ((guint) (self->watch->interval * 1000), look, self);
  g_unix_fd_add (signals, G_IO_IN, on_signal, self);
  if (jobs >= 0)
    g_unix_fd_add (jobs, G_IO_IN, on_jobs, self);
  if (self->screen != NULL && isatty (STDIN_FILENO))
    g_unix_fd_add (STDIN_FILENO, G_IO_IN | G_IO_HUP, on_key, self);
}

static void
watch (Session *self)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  int signals = open_signals ();

  if (signals < 0)
    {
      jmc_output_complain ("signalfd: %s", g_strerror (errno));
      self->status = JMC_EXIT_FAILURE;
      return;
    }

  if (!self->watch->is_stream && screen_is_possible ())
    {
      self->screen = screen_new ();
      screen_enter (self->screen);
    }

  self->loop = loop;
  add_sources (self, signals);
  look (self);
  if (!self->is_over)
    g_main_loop_run (loop);

  g_clear_pointer (&self->screen, screen_free);
}

/* Shows the node as @view draws it. Returns the exit status. */
int
jmc_watch_run (const JmcWatch *self,
               const JmcOptions *options,
               JmSubjectKind level,
               const JmCollectorSet *collectors,
               const JmcView *view)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmNode) node = NULL;
  g_autoptr (JmSnapshot) before = NULL;
  Session session = { .watch = self,
                      .view = view,
                      .is_first = TRUE,
                      .status = JMC_EXIT_OK };

  session.node = node = jmc_options_make_node (options, level, collectors, &error);
  if (node == NULL)
    return jmc_options_refuse_node (error);

  if (view->begin != NULL)
    view->begin (node, view->data);
  jmc_metering_wait_for_gpus (node, collectors);
  before = jmc_metering_begin (&options->metering, node);
  if (before != NULL && view->keep != NULL)
    view->keep (before, view->data);
  if (self->text != NULL)
    watch (&session);
  else
    look (&session);
  g_clear_pointer (&session.snapshot, jm_snapshot_unref);

  return jmc_output_finish (session.status);
}
