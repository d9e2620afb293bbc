/* jmc-top-draw.c: all that top shows, in one frame
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-draw.h"

#include "base/jm-safe-text-private.h"
#include "base/jm-text-width-private.h"
#include "top/jmc-top-parts.h"

#define TITLES JMC_TOP_HEAD_HEIGHT
#define FIRST_LINE (TITLES + 1)
#define MIN_HEIGHT (FIRST_LINE + 4)
#define ENDLESS 240

typedef struct
{
  const char *key;
  const char *meaning;
} Hint;

/* --- the last line --- */

static guint
draw_choice (JmcTopFrame *frame, guint y, guint x, const char *name, const char *text)
{
  g_autofree char *safe = NULL;
  g_autofree char *label = NULL;

  if (text == NULL)
    return x;

  safe = jm_safe_text_make (text);
  label = g_strdup_printf ("%s: %s", name, safe);

  return jmc_top_frame_add (frame, y, x, JMC_TOP_BOLD, label) + 2;
}

static void
draw_hints (JmcTopFrame *frame, guint y, guint x, gboolean is_past)
{
  static const Hint of_past[] = {
    { "q", "quit" }, { ", .", "step" },  { "< >", "leap" }, { "Enter", "open" },
    { "s", "sort" }, { "r", "reverse" }, { "/", "filter" }, { "?", "help" },
  };
  static const Hint of_now[] = {
    { "q", "quit" },   { "Enter", "open" }, { "s", "sort" },  { "r", "reverse" },
    { "/", "filter" }, { "u", "user" },     { "p", "pause" }, { "?", "help" },
  };

  const Hint *hints = is_past ? of_past : of_now;

  G_STATIC_ASSERT (G_N_ELEMENTS (of_past) == G_N_ELEMENTS (of_now));
  for (guint i = 0; i < G_N_ELEMENTS (of_now); i++)
    {
      guint end =
        x + jm_text_width_get (hints[i].key) + 1 + jm_text_width_get (hints[i].meaning);

      if (end > jmc_top_frame_get_width (frame))
        return;
      x = jmc_top_frame_add (frame, y, x, JMC_TOP_BOLD, hints[i].key);
      x = jmc_top_frame_add (frame, y, x + 1, JMC_TOP_DIM, hints[i].meaning) + 2;
    }
}

static void
draw_prompt (JmcTopFrame *frame, guint y, const JmcTopControl *control)
{
  const char *question = control->prompt == JMC_TOP_PROMPT_USER
                           ? "Jobs of user (empty: all): "
                           : "Jobs that contain: ";
  g_autofree char *safe = jm_safe_text_make (control->input->str);
  guint x = jmc_top_frame_add (frame, y, 0, JMC_TOP_BOLD, question);

  x = jmc_top_frame_add (frame, y, x, JMC_TOP_PLAIN, safe);
  jmc_top_frame_add (frame, y, x, JMC_TOP_REVERSE, " ");
}

/* What it is about stands at the beginning, and what is wrong with it at the end. */
static char *
shorten (const char *text, guint width)
{
  const guint head_width = width / 3;
  guint over = jm_text_width_get (text) + 3;
  GString *head = g_string_new (text);
  const char *tail;

  if (jm_text_width_get (text) <= width)
    return g_string_free (head, FALSE);

  jm_text_width_cut (head, head_width);
  for (tail = text + head->len; *tail != '\0' && over > width;
       tail = g_utf8_next_char (tail))
    over = head_width + 3 + jm_text_width_get (g_utf8_next_char (tail));
  g_string_append_printf (head, "...%s", tail);

  return g_string_free (head, FALSE);
}

static void
draw_notice (JmcTopFrame *frame, const char *notice)
{
  g_autofree char *safe = jm_safe_text_make (notice);
  g_autofree char *text = shorten (safe, jmc_top_frame_get_width (frame));

  jmc_top_frame_add (frame, jmc_top_frame_get_height (frame) - 2, 0, JMC_TOP_WARN,
                     text);
}

static void
draw_foot (JmcTopFrame *frame, const JmcTopControl *control)
{
  const guint y = jmc_top_frame_get_height (frame) - 1;
  guint x = 0;

  if (control->prompt != JMC_TOP_NO_PROMPT)
    {
      draw_prompt (frame, y, control);
      return;
    }

  x = draw_choice (frame, y, x, "filter", jmc_top_model_get_filter (control->model));
  x = draw_choice (frame, y, x, "user", jmc_top_model_get_user (control->model));
  draw_hints (frame, y, x, control->is_past);
}

/* --- instead of lines --- */

static const char *
describe_nothing (JmcTopModel *model, gboolean is_past)
{
  if (jmc_top_model_is_empty (model))
    return is_past ? "No jobs then." : "No jobs on this node.";

  return "No job is of this choice; Esc shows all.";
}

static void
draw_help (JmcTopFrame *frame)
{
  static const Hint lines[] = {
    { "up, down, page, Home, End", "select a line" },
    { "Enter", "show or hide its steps, tasks and processes" },
    { "right, left", "show them, hide them" },
    { "e", "show or hide those of all jobs" },
    { "s, >, <", "sort by the next or the previous column" },
    { "r", "reverse the order" },
    { "/", "only jobs with a text in one of their words" },
    { "u", "only jobs of a user" },
    { "Esc", "all jobs again" },
    { "+, -", "a longer or shorter interval" },
    { "p", "pause" },
    { "space", "read the node now" },
    { ", .  < >", "with --at: back or on by a point; by ten" },
    { "q, Ctrl-C", "quit" },
    { "", "" },
    { "CPU%", "of the CPUs that it may use, since the last look" },
    { "MEM%", "of the memory limit" },
    { "PRESSURE%", "of the time: waiting for CPU, memory or IO" },
    { "R S D T Z", "runs, sleeps, waits for a disk, stopped, zombie" },
    { "-", "not known" },
    { "x", "has ended, and goes in a while" },
  };
  const guint indent = 28;

  jmc_top_frame_add (frame, 0, 0, JMC_TOP_BOLD, "Keys of jobmetrics-cli top");
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      const guint y = i + 2;

      jmc_top_frame_add (frame, y, 0, JMC_TOP_BOLD, lines[i].key);
      jmc_top_frame_add (frame, y, indent, JMC_TOP_PLAIN, lines[i].meaning);
    }
  jmc_top_frame_add (frame, jmc_top_frame_get_height (frame) - 1, 0, JMC_TOP_DIM,
                     "Any key goes back.");
}

static void
draw_too_small (JmcTopFrame *frame)
{
  g_autofree char *sizes =
    g_strdup_printf ("%ux%u, needed: %ux%u", jmc_top_frame_get_width (frame),
                     jmc_top_frame_get_height (frame), JMC_TOP_MIN_WIDTH, MIN_HEIGHT);

  jmc_top_frame_add (frame, 0, 0, JMC_TOP_BOLD, "Terminal too small");
  jmc_top_frame_add (frame, 1, 0, JMC_TOP_PLAIN, sizes);
}

/* --- the whole --- */

/* A page may be read long after. */
static char *
format_date (gint64 time_us)
{
  g_autoptr (GDateTime) moment =
    g_date_time_new_from_unix_local (time_us / G_USEC_PER_SEC);

  return moment != NULL ? g_date_time_format (moment, "%Y-%m-%d") : g_strdup ("");
}

/* The date of a past time is not that of the clock on the wall. */
static char *
describe_past (JmcTopModel *model, const char *points)
{
  g_autofree char *date = format_date (jmc_top_model_get_summary (model)->time_us);

  return points != NULL ? g_strdup_printf ("%s  %s", points, date)
                        : g_steal_pointer (&date);
}

static char *
describe_state (const JmcTopControl *control, const JmcTopScene *scene)
{
  if (control->is_past)
    return describe_past (control->model, scene->points);
  if (control->is_paused)
    return g_strdup ("paused");

  return g_strdup_printf ("every %gs", control->interval);
}

static void
draw_lines (JmcTopFrame *frame, const JmcTopLayout *layout, JmcTopControl *control)
{
  JmcTopModel *model = control->model;
  const guint n_lines = jmc_top_model_get_n_lines (model);

  if (n_lines == 0)
    jmc_top_frame_add (frame, FIRST_LINE, 0, JMC_TOP_DIM,
                       describe_nothing (model, control->is_past));

  for (guint i = 0; i < control->page && control->first + i < n_lines; i++)
    {
      guint number = control->first + i;

      jmc_top_grid_draw_line (frame, layout, FIRST_LINE + i,
                              jmc_top_model_get_line (model, number),
                              number == jmc_top_model_get_selected (model));
    }
}

static void
remember_columns (JmcTopControl *control, const JmcTopLayout *layout)
{
  control->shown = 0;
  for (guint i = 0; i < layout->n_columns; i++)
    control->shown |= 1u << layout->columns[i];
}

static void
draw_jobs (JmcTopFrame *frame, JmcTopControl *control, const JmcTopScene *scene)
{
  const guint height = jmc_top_frame_get_height (frame);
  const guint n_notices = scene->notice != NULL ? 1 : 0;
  JmcTopLayout layout = jmc_top_layout_make (jmc_top_model_get_jobs (control->model),
                                             jmc_top_frame_get_width (frame));
  g_autofree char *state = describe_state (control, scene);
  gboolean is_reversed;
  JmcTopColumn sort = jmc_top_model_get_sort (control->model, &is_reversed);

  remember_columns (control, &layout);
  jmc_top_control_set_page (control, height - FIRST_LINE - 1 - n_notices);

  jmc_top_head_draw (frame, jmc_top_model_get_summary (control->model), scene->host,
                     state, control->is_paused ? JMC_TOP_BOLD : JMC_TOP_DIM);
  jmc_top_grid_draw_titles (frame, &layout, TITLES, sort, is_reversed);
  draw_lines (frame, &layout, control);
  if (scene->notice != NULL)
    draw_notice (frame, scene->notice);
  draw_foot (frame, control);
}

/* What a terminal of @width and @height shows. */
JmcTopFrame *
jmc_top_draw_screen (JmcTopControl *control,
                     const JmcTopScene *scene,
                     guint width,
                     guint height)
{
  JmcTopFrame *frame = jmc_top_frame_new (width, height);

  if (width < JMC_TOP_MIN_WIDTH || height < MIN_HEIGHT)
    draw_too_small (frame);
  else if (control->has_help)
    draw_help (frame);
  else
    draw_jobs (frame, control, scene);

  return frame;
}

/* The same for a page of any length, as text. @width 0 is that of all columns; @points
 * is NULL, but for a past time. */
char *
jmc_top_draw_page (JmcTopModel *model,
                   const char *host,
                   const char *points,
                   guint width)
{
  const guint n_lines = jmc_top_model_get_n_lines (model);
  JmcTopLayout layout =
    jmc_top_layout_make (jmc_top_model_get_jobs (model), width > 0 ? width : ENDLESS);
  g_autoptr (JmcTopFrame) frame =
    jmc_top_frame_new (layout.width, FIRST_LINE + MAX (n_lines, 1));
  g_autofree char *state = describe_past (model, points);
  gboolean is_reversed;
  JmcTopColumn sort = jmc_top_model_get_sort (model, &is_reversed);

  jmc_top_head_draw (frame, jmc_top_model_get_summary (model), host, state,
                     JMC_TOP_PLAIN);
  jmc_top_grid_draw_titles (frame, &layout, TITLES, sort, is_reversed);
  for (guint i = 0; i < n_lines; i++)
    jmc_top_grid_draw_line (frame, &layout, FIRST_LINE + i,
                            jmc_top_model_get_line (model, i), FALSE);
  if (n_lines == 0)
    jmc_top_frame_add (frame, FIRST_LINE, 0, JMC_TOP_PLAIN,
                       describe_nothing (model, points != NULL));

  return jmc_top_frame_to_text (frame);
}
