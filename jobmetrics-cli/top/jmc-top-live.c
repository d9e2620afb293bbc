/* jmc-top-live.c: top at a terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-live.h"

#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jmc-snapshot.h"
#include "top/jmc-top-screen.h"

#define MAX_KEPT 4096

typedef struct
{
  int held;     /* in place of the standard error; -1 where nothing is held back */
  int terminal; /* the standard error itself */
} Stderr;

/* Rates over less would be noise. */
#define LEAST_BETWEEN_US (G_USEC_PER_SEC / 20)

typedef struct
{
  JmNode *node;         /* NULL where past times are shown */
  JmcTopReplay *replay; /* NULL where the node is */
  JmcTopControl *control;
  JmcTopScene *scene;
  JmcTopScreen *screen;
  char **problems; /* what the node has to do without */
  GMainContext *context;
  GMainLoop *loop;
  GSource *timer;
  gint64 swept_us;
  int status;
} Live;

/* --- messages of others --- */

/* What is written to the standard error from now on would tear the screen. Where it
 * goes elsewhere it is left alone. */
static Stderr *
stderr_hold (void)
{
  Stderr *self = g_new0 (Stderr, 1);

  self->held = isatty (STDERR_FILENO) ? memfd_create ("messages", MFD_CLOEXEC) : -1;
  if (self->held < 0)
    return self;

  fflush (stderr);
  self->terminal = dup (STDERR_FILENO);
  dup2 (self->held, STDERR_FILENO);

  return self;
}

/* Says the last of what was held back. */
static void
release (Stderr *self)
{
  char text[MAX_KEPT];
  off_t end = lseek (self->held, 0, SEEK_END);
  ssize_t length =
    pread (self->held, text, sizeof text, MAX (0, end - (off_t) sizeof text));

  if (length > 0)
    g_printerr ("%.*s", (int) length, text);
}

static void
stderr_release (Stderr *self)
{
  if (self->held >= 0)
    {
      fflush (stderr);
      dup2 (self->terminal, STDERR_FILENO);
      close (self->terminal);
      release (self);
      close (self->held);
    }
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Stderr, stderr_release)

static void
end (Live *self, int status)
{
  self->status = status;
  g_main_loop_quit (self->loop);
}

static void
draw (Live *self)
{
  g_autoptr (JmcTopFrame) frame = NULL;
  guint width;
  guint height;

  jmc_top_screen_get_size (self->screen, &width, &height);
  frame = jmc_top_draw_screen (self->control, self->scene, width, height);
  jmc_top_screen_draw (self->screen, frame);
}

/* Takes @source over. It lives as long as the context does. */
static void
attach (Live *self, GSource *source, GSourceFunc callback)
{
  g_source_set_callback (source, callback, self, NULL);
  g_source_attach (source, self->context);
  g_source_unref (source);
}

/* --- sweeps --- */

static char *
describe_problems (const Live *self, JmSnapshot *snapshot)
{
  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    {
      char *error = jmc_snapshot_describe_loss (snapshot, i, NULL);

      if (error != NULL)
        return error;
    }

  return g_strdup (*self->problems);
}

static void
sweep (Live *self)
{
  gint64 now_us = g_get_monotonic_time ();
  g_autoptr (JmSnapshot) snapshot = NULL;

  if (self->swept_us != 0 && now_us - self->swept_us < LEAST_BETWEEN_US)
    return;

  /* Only what was cancelled has no snapshot. */
  snapshot = jm_node_sample (self->node, NULL, NULL);
  if (snapshot == NULL)
    return;

  self->swept_us = now_us;
  jmc_top_model_update (self->control->model, snapshot, now_us);
  g_free (self->scene->notice);
  self->scene->notice = describe_problems (self, snapshot);
}

static gboolean
on_time (gpointer data)
{
  sweep (data);
  draw (data);

  return G_SOURCE_CONTINUE;
}

static void
stop_timer (Live *self)
{
  if (self->timer == NULL)
    return;

  g_source_destroy (self->timer);
  g_clear_pointer (&self->timer, g_source_unref);
}

static void
start_timer (Live *self)
{
  stop_timer (self);
  if (self->control->is_paused)
    return;

  self->timer = g_timeout_source_new ((guint) (self->control->interval * 1000));
  attach (self, g_source_ref (self->timer), on_time);
}

static gboolean
on_node (int fd, GIOCondition condition, gpointer data)
{
  Live *self = data;

  jm_node_follow (self->node);

  return G_SOURCE_CONTINUE;
}

/* --- keys and signals --- */

/* To all of our process group, as the terminal would do it. ncurses gives the terminal
 * back before the program stops, and takes it again afterwards. */
static void
suspend (void)
{
  kill (0, SIGTSTP);
}

static void
step (Live *self)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->scene->notice, g_free);
  if (!jmc_top_replay_step (self->replay, self->control->step, &error))
    self->scene->notice = g_strdup (error->message);
}

static void
act (Live *self, JmcTopAction action)
{
  switch (action)
    {
    case JMC_TOP_QUIT:
      end (self, JMC_EXIT_OK);
      break;
    case JMC_TOP_SWEEP:
      sweep (self);
      start_timer (self);
      break;
    case JMC_TOP_WAIT:
      start_timer (self);
      break;
    case JMC_TOP_GO:
      step (self);
      break;
    case JMC_TOP_SUSPEND:
      suspend ();
      break;
    case JMC_TOP_DRAW:
    default:
      break;
    }
}

/* A terminal that went away is readable, and has nothing to read. */
static gboolean
has_input (void)
{
  int n_bytes = 0;

  return ioctl (STDIN_FILENO, FIONREAD, &n_bytes) == 0 && n_bytes > 0;
}

static gboolean
on_input (int fd, GIOCondition condition, gpointer data)
{
  Live *self = data;
  gboolean is_key = TRUE;

  if ((condition & (G_IO_HUP | G_IO_ERR | G_IO_NVAL)) != 0 || !has_input ())
    {
      end (self, JMC_EXIT_FAILURE);
      return G_SOURCE_REMOVE;
    }

  while (is_key)
    {
      guint32 key = jmc_top_screen_read_key (self->screen, &is_key);

      if (is_key)
        act (self, jmc_top_control_press (self->control, key));
    }
  draw (self);

  return G_SOURCE_CONTINUE;
}

static gboolean
on_terminate (gpointer data)
{
  end (data, JMC_EXIT_SIGNAL + SIGTERM);

  return G_SOURCE_CONTINUE;
}

static gboolean
on_hangup (gpointer data)
{
  end (data, JMC_EXIT_SIGNAL + SIGHUP);

  return G_SOURCE_CONTINUE;
}

static gboolean
on_interrupt (gpointer data)
{
  end (data, JMC_EXIT_OK);

  return G_SOURCE_CONTINUE;
}

static gboolean
on_resize (gpointer data)
{
  draw (data);

  return G_SOURCE_CONTINUE;
}

static void
watch (Live *self)
{
  int event_fd;

  attach (self, g_unix_fd_source_new (STDIN_FILENO, G_IO_IN | G_IO_HUP | G_IO_ERR),
          G_SOURCE_FUNC (on_input));
  if (self->node == NULL)
    return;

  event_fd = jm_node_get_event_fd (self->node);
  if (event_fd >= 0)
    attach (self, g_unix_fd_source_new (event_fd, G_IO_IN), G_SOURCE_FUNC (on_node));
  start_timer (self);
}

/* Before ncurses, which leaves a signal to those who came first. */
static void
catch_signals (Live *self)
{
  attach (self, g_unix_signal_source_new (SIGTERM), on_terminate);
  attach (self, g_unix_signal_source_new (SIGHUP), on_hangup);
  attach (self, g_unix_signal_source_new (SIGINT), on_interrupt);
  attach (self, g_unix_signal_source_new (SIGWINCH), on_resize);
}

static int
show (Live *self, JmcColor color)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Stderr) held_stderr = NULL;

  self->screen = jmc_top_screen_open (color, &error);
  if (self->screen == NULL)
    {
      jmc_output_complain ("%s", error->message);
      return JMC_EXIT_FAILURE;
    }

  held_stderr = stderr_hold ();
  if (self->node != NULL)
    sweep (self);
  draw (self);
  watch (self);
  g_main_loop_run (self->loop);
  jmc_top_screen_close (self->screen);

  return self->status;
}

int
jmc_top_live_run (JmNode *node,
                  JmcTopReplay *replay,
                  JmcTopControl *control,
                  JmcTopScene *scene,
                  char **problems,
                  JmcColor color)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (context, FALSE);
  Live self = {
    node, replay, control, scene, .problems = problems, .context = context, .loop = loop
  };
  int status;

  catch_signals (&self);
  status = show (&self, color);
  stop_timer (&self);

  return status;
}
