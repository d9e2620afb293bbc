/* jmc-top-control.c: what keys do in top
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-control.h"

#define MAX_TYPED 64
#define POINTS_OF_LEAP 10

/* @model must outlive it. */
JmcTopControl *
jmc_top_control_new (JmcTopModel *model, double interval)
{
  JmcTopControl *self = g_new0 (JmcTopControl, 1);

  self->model = model;
  self->interval = interval;
  self->input = g_string_new (NULL);
  self->page = 1;
  self->shown = (1u << JMC_TOP_N_COLUMNS) - 1;

  return self;
}

void
jmc_top_control_free (JmcTopControl *self)
{
  g_string_free (self->input, TRUE);
  g_free (self->old_filter);
  g_free (self);
}

/* --- asking --- */

static void
start_prompt (JmcTopControl *self, JmcTopPrompt prompt)
{
  const char *filter = jmc_top_model_get_filter (self->model);

  self->prompt = prompt;
  g_string_truncate (self->input, 0);
  if (prompt != JMC_TOP_PROMPT_FILTER)
    return;

  g_free (self->old_filter);
  self->old_filter = g_strdup (filter);
  g_string_append (self->input, filter != NULL ? filter : "");
}

static void
accept_input (JmcTopControl *self)
{
  if (self->prompt == JMC_TOP_PROMPT_USER)
    jmc_top_model_set_user (self->model, self->input->str);
  self->prompt = JMC_TOP_NO_PROMPT;
}

static void
give_input_up (JmcTopControl *self)
{
  if (self->prompt == JMC_TOP_PROMPT_FILTER)
    jmc_top_model_set_filter (self->model, self->old_filter);
  self->prompt = JMC_TOP_NO_PROMPT;
}

static void
remove_last (GString *input)
{
  const char *last = g_utf8_find_prev_char (input->str, input->str + input->len);

  if (last != NULL)
    g_string_truncate (input, (gsize) (last - input->str));
}

static void
edit_input (JmcTopControl *self, guint32 key)
{
  if (key == JMC_TOP_KEY_BACKSPACE)
    remove_last (self->input);
  else if (key == JMC_TOP_KEY_CLEAR)
    g_string_truncate (self->input, 0);
  else if (key < JMC_TOP_KEY_NONE && g_unichar_isprint (key) &&
           g_utf8_strlen (self->input->str, -1) < MAX_TYPED)
    g_string_append_unichar (self->input, key);

  /* A filter shows at once what it would leave. */
  if (self->prompt == JMC_TOP_PROMPT_FILTER)
    jmc_top_model_set_filter (self->model, self->input->str);
}

static JmcTopAction
answer (JmcTopControl *self, guint32 key)
{
  if (key == JMC_TOP_KEY_ENTER)
    accept_input (self);
  else if (key == JMC_TOP_KEY_ESCAPE)
    give_input_up (self);
  else
    edit_input (self, key);

  return JMC_TOP_DRAW;
}

/* --- keys --- */

static void
move (JmcTopControl *self, int lines)
{
  int selected = (int) jmc_top_model_get_selected (self->model);

  jmc_top_model_select (self->model, (guint) MAX (0, selected + lines));
}

/* The next column on the screen, to the right or to the left, round and round. */
static void
sort_by_neighbour (JmcTopControl *self, guint step)
{
  gboolean is_reversed;
  guint column = jmc_top_model_get_sort (self->model, &is_reversed);

  for (guint i = 0; i < JMC_TOP_N_COLUMNS; i++)
    {
      column = (column + step) % JMC_TOP_N_COLUMNS;
      if ((self->shown & 1u << column) != 0)
        break;
    }
  jmc_top_model_sort (self->model, column, FALSE);
}

static void
reverse (JmcTopControl *self)
{
  gboolean is_reversed;
  JmcTopColumn column = jmc_top_model_get_sort (self->model, &is_reversed);

  jmc_top_model_sort (self->model, column, !is_reversed);
}

static void
toggle_all (JmcTopControl *self)
{
  gboolean is_any_open = FALSE;

  for (guint i = 0; i < jmc_top_model_get_n_lines (self->model); i++)
    is_any_open |= jmc_top_model_get_line (self->model, i)->is_open;
  jmc_top_model_open_all (self->model, !is_any_open);
}

/* Steps that people would choose, from any interval. */
static JmcTopAction
change_interval (JmcTopControl *self, gboolean is_longer)
{
  static const double steps[] = {
    JMC_TOP_MIN_INTERVAL, 0.5, 1, 2, 3, 5, 10, 30, 60, 300, JMC_TOP_MAX_INTERVAL
  };
  const guint n_steps = G_N_ELEMENTS (steps);
  double next = self->interval;

  for (guint i = 0; i < n_steps; i++)
    {
      double step = steps[is_longer ? i : n_steps - 1 - i];

      if (is_longer ? step > self->interval : step < self->interval)
        {
          next = step;
          break;
        }
    }
  self->interval = next;

  return JMC_TOP_WAIT;
}

static void
clear_choice (JmcTopControl *self)
{
  jmc_top_model_set_filter (self->model, NULL);
  jmc_top_model_set_user (self->model, NULL);
}

static JmcTopAction
press_for_movement (JmcTopControl *self, guint32 key)
{
  const int page = (int) self->page;

  switch (key)
    {
    case JMC_TOP_KEY_UP:
      move (self, -1);
      break;
    case JMC_TOP_KEY_DOWN:
      move (self, 1);
      break;
    case JMC_TOP_KEY_PAGE_UP:
      move (self, -page);
      break;
    case JMC_TOP_KEY_PAGE_DOWN:
      move (self, page);
      break;
    case JMC_TOP_KEY_HOME:
      jmc_top_model_select (self->model, 0);
      break;
    case JMC_TOP_KEY_END:
      jmc_top_model_select (self->model, G_MAXUINT);
      break;
    case JMC_TOP_KEY_ENTER:
      jmc_top_model_toggle (self->model);
      break;
    case JMC_TOP_KEY_RIGHT:
      jmc_top_model_open (self->model);
      break;
    case JMC_TOP_KEY_LEFT:
      jmc_top_model_close (self->model);
      break;
    default:
      break;
    }

  return JMC_TOP_DRAW;
}

static JmcTopAction
press_for_order (JmcTopControl *self, guint32 key)
{
  switch (key)
    {
    case 's':
    case '>':
      sort_by_neighbour (self, 1);
      break;
    case '<':
      sort_by_neighbour (self, JMC_TOP_N_COLUMNS - 1);
      break;
    case 'r':
      reverse (self);
      break;
    case 'e':
      toggle_all (self);
      break;
    case '/':
      start_prompt (self, JMC_TOP_PROMPT_FILTER);
      break;
    case 'u':
      start_prompt (self, JMC_TOP_PROMPT_USER);
      break;
    case JMC_TOP_KEY_ESCAPE:
      clear_choice (self);
      break;
    default:
      return press_for_movement (self, key);
    }

  return JMC_TOP_DRAW;
}

static JmcTopAction
step (JmcTopControl *self, int n_points)
{
  self->step = n_points;

  return JMC_TOP_GO;
}

static JmcTopAction
press_for_past (JmcTopControl *self, guint32 key)
{
  switch (key)
    {
    case ',':
      return step (self, -1);
    case '.':
      return step (self, 1);
    case '<':
      return step (self, -POINTS_OF_LEAP);
    case '>':
      return step (self, POINTS_OF_LEAP);
    default:
      return press_for_order (self, key);
    }
}

static JmcTopAction
press_for_interval (JmcTopControl *self, guint32 key)
{
  switch (key)
    {
    case ' ':
      return JMC_TOP_SWEEP;
    case '+':
    case '=':
      return change_interval (self, TRUE);
    case '-':
      return change_interval (self, FALSE);
    case 'p':
      self->is_paused = !self->is_paused;
      return JMC_TOP_WAIT;
    default:
      return press_for_order (self, key);
    }
}

static JmcTopAction
press_for_time (JmcTopControl *self, guint32 key)
{
  switch (key)
    {
    case 'q':
      return JMC_TOP_QUIT;
    case 'h':
    case '?':
    case JMC_TOP_KEY_HELP:
      self->has_help = TRUE;
      return JMC_TOP_DRAW;
    default:
      return self->is_past ? press_for_past (self, key)
                           : press_for_interval (self, key);
    }
}

/* Does what @key, a character or a JmcTopKey, asks for. Returns what is left to do. */
JmcTopAction
jmc_top_control_press (JmcTopControl *self, guint32 key)
{
  if (key == JMC_TOP_KEY_INTERRUPT || key == JMC_TOP_KEY_QUIT)
    return JMC_TOP_QUIT;
  if (key == JMC_TOP_KEY_SUSPEND)
    return JMC_TOP_SUSPEND;

  if (self->has_help)
    {
      self->has_help = key == JMC_TOP_KEY_NONE;
      return JMC_TOP_DRAW;
    }

  return self->prompt != JMC_TOP_NO_PROMPT ? answer (self, key)
                                           : press_for_time (self, key);
}

/* Scrolls so that @page lines show the selected one, and no more of nothing than there
 * must be. */
void
jmc_top_control_set_page (JmcTopControl *self, guint page)
{
  guint n_lines = jmc_top_model_get_n_lines (self->model);
  guint selected = jmc_top_model_get_selected (self->model);

  self->page = MAX (page, 1);
  if (self->first + self->page > n_lines)
    self->first = n_lines > self->page ? n_lines - self->page : 0;
  if (selected < self->first)
    self->first = selected;
  else if (selected >= self->first + self->page)
    self->first = selected - self->page + 1;
}
