/* jmc-top-draw.c: all that top shows, in one frame
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-draw.h"

#include "core/jm-safe-text-private.h"
#include "jmc-text.h"
#include "top/jmc-top-head.h"
#include "top/jmc-top-layout.h"
#include "top/jmc-top-model.h"

#define ABSENT "-"
#define MARK_WIDTH 2
#define NUMBER_WIDTH 4 /* behind the bar of a share */

/* CPUs that a job has had for a minute and hardly uses could serve another. */
#define IDLE_PERCENT 5
#define IDLE_SECONDS 60

/* What is drawn with, where the terminal can show it and where it cannot. */
typedef struct
{
  const char *closed;
  const char *open;
  const char *ended;
  const char *fork;
  const char *last;
  const char *past;
  const char *falling;
  const char *rising;
} Signs;

#define TITLES JMC_TOP_HEAD_HEIGHT
#define FIRST_LINE (TITLES + 1)
#define MIN_HEIGHT (FIRST_LINE + 4)
#define ENDLESS 240

typedef struct
{
  const char *key;
  const char *meaning;
} Hint;

static const Signs *
get_signs (void)
{
  static const Signs drawn = { "▸", "▾", "x", "├─ ", "└─ ", "│  ", "▾", "▴" };
  static const Signs ascii = { "+", "-", "x", "|- ", "`- ", "|  ", "v", "^" };

  return g_get_charset (NULL) ? &drawn : &ascii;
}

/* --- titles --- */

static guint
get_title_start (const JmcTopLayout *layout, guint index)
{
  return layout->columns[index] == JMC_TOP_ID ? MARK_WIDTH : layout->starts[index];
}

static void
draw_arrow (JmcTopFrame *frame,
            const JmcTopLayout *layout,
            guint index,
            guint y,
            gboolean is_reversed)
{
  const JmcTopColumn column = layout->columns[index];
  const guint title = jmc_text_get_width (jmc_top_column_get_title (column));
  const gboolean is_word = column < JMC_TOP_N_TEXTS;
  const char *arrow =
    is_word != is_reversed ? get_signs ()->rising : get_signs ()->falling;
  /* The gap before figures has room for it, and that behind words. */
  const guint x = is_word ? get_title_start (layout, index) + title
                          : layout->starts[index] + layout->widths[index] - title - 1;

  jmc_top_frame_add (frame, y, x, JMC_TOP_REVERSE | JMC_TOP_BOLD, arrow);
}

static void
draw_titles (JmcTopFrame *frame,
             const JmcTopLayout *layout,
             guint y,
             JmcTopColumn sort,
             gboolean is_reversed)
{
  jmc_top_frame_fill (frame, y, JMC_TOP_REVERSE);
  for (guint i = 0; i < layout->n_columns; i++)
    {
      const JmcTopColumn column = layout->columns[i];
      const gboolean is_sort = column == sort;
      const guint start = get_title_start (layout, i);

      if (is_sort)
        draw_arrow (frame, layout, i, y, is_reversed);
      jmc_top_frame_add_cell (frame, y, start,
                              layout->widths[i] + layout->starts[i] - start,
                              jmc_top_column_get_align (column),
                              JMC_TOP_REVERSE | (is_sort ? JMC_TOP_BOLD : 0),
                              jmc_top_column_get_title (column));
    }
}

/* --- a line --- */

/* What a part cannot have is not missing. */
static gboolean
can_have (JmcTopKind kind, JmcTopColumn column)
{
  static const guint figures[] = {
    [JMC_TOP_EXECUTABLE] = 1u << JMC_TOP_CPU_PERCENT | 1u << JMC_TOP_CPU_TIME,
    [JMC_TOP_PROCESS] = 1u << JMC_TOP_CPU_PERCENT | 1u << JMC_TOP_CPU_TIME |
                        1u << JMC_TOP_MEMORY | 1u << JMC_TOP_MEMORY_PERCENT |
                        1u << JMC_TOP_THREADS | 1u << JMC_TOP_AGE,
  };

  if (column == JMC_TOP_WATTS || column == JMC_TOP_ENERGY)
    return kind == JMC_TOP_JOB;

  return kind < JMC_TOP_EXECUTABLE || (figures[kind] & 1u << column) != 0;
}

static JmcTopStyle
get_cell_style (const JmcTopRow *row, JmcTopColumn column)
{
  const JmFigure cpu = row->figures[JMC_TOP_CPU_PERCENT];
  const JmFigure memory = row->figures[JMC_TOP_MEMORY_PERCENT];

  if (row->kind != JMC_TOP_JOB || row->has_ended)
    return JMC_TOP_PLAIN;

  switch (column)
    {
    case JMC_TOP_CPU_PERCENT:
      return cpu.is_known && cpu.value < IDLE_PERCENT &&
                 row->figures[JMC_TOP_AGE].value > IDLE_SECONDS
               ? JMC_TOP_WARN
               : JMC_TOP_PLAIN;
    case JMC_TOP_MEMORY:
    case JMC_TOP_MEMORY_PERCENT:
      return memory.is_known && memory.value >= JMC_TOP_NEARLY_FULL ? JMC_TOP_ALARM
                                                                    : JMC_TOP_PLAIN;
    default:
      return JMC_TOP_PLAIN;
    }
}

static void
draw_share (JmcTopFrame *frame,
            guint y,
            guint x,
            guint width,
            JmcTopStyle style,
            double percent)
{
  g_autofree char *number = g_strdup_printf ("%.0f", percent);

  jmc_top_frame_add_bar (frame, y, x, width - NUMBER_WIDTH, style, percent / 100);
  jmc_top_frame_add_cell (frame, y, x + width - NUMBER_WIDTH, NUMBER_WIDTH,
                          JMC_ALIGN_RIGHT, style, number);
}

static void
draw_figure (JmcTopFrame *frame,
             const JmcTopLayout *layout,
             guint index,
             guint y,
             const JmcTopRow *row,
             JmcTopStyle style)
{
  const JmcTopColumn column = layout->columns[index];
  const JmFigure figure = row->figures[column];
  g_autofree char *text = NULL;

  style |= get_cell_style (row, column);
  if (column == JMC_TOP_MEMORY_PERCENT && figure.is_known)
    {
      draw_share (frame, y, layout->starts[index], layout->widths[index], style,
                  figure.value);
      return;
    }

  if (!can_have (row->kind, column))
    return;

  text = jmc_top_column_format (column, figure);
  jmc_top_frame_add_cell (frame, y, layout->starts[index], layout->widths[index],
                          jmc_top_column_get_align (column), style,
                          text != NULL ? text : ABSENT);
}

static void
draw_words_of_job (JmcTopFrame *frame,
                   const JmcTopLayout *layout,
                   guint y,
                   const JmcTopLine *line,
                   JmcTopStyle style)
{
  const Signs *signs = get_signs ();
  const JmcTopRow *row = line->row;
  const char *mark = row->has_ended     ? signs->ended
                     : !line->has_parts ? " "
                     : line->is_open    ? signs->open
                                        : signs->closed;

  jmc_top_frame_add (frame, y, 0, style, mark);
  for (guint i = 0; i < layout->n_leading; i++)
    {
      const char *text = row->texts[layout->columns[i]];
      const guint indent = layout->columns[i] == JMC_TOP_ID ? MARK_WIDTH : 0;

      jmc_top_frame_add_cell (frame, y, layout->starts[i] + indent,
                              layout->widths[i] - indent, JMC_ALIGN_LEFT, style,
                              text != NULL ? text : ABSENT);
    }
}

/* The branches of the tree on which a part hangs, and its name. */
static char *
make_label (const JmcTopLine *line)
{
  const Signs *signs = get_signs ();
  GString *label = g_string_new (NULL);
  gboolean is_closed = line->has_parts && !line->is_open;

  for (guint depth = 1; depth < line->depth; depth++)
    g_string_append (label, (line->lasts & 1u << depth) != 0 ? "   " : signs->past);
  g_string_append (label,
                   (line->lasts & 1u << line->depth) != 0 ? signs->last : signs->fork);
  if (is_closed)
    g_string_append_printf (label, "%s ", signs->closed);
  g_string_append (label, line->row->texts[JMC_TOP_ID]);

  return g_string_free (label, FALSE);
}

static void
draw_label (JmcTopFrame *frame,
            const JmcTopLayout *layout,
            guint y,
            const JmcTopLine *line,
            JmcTopStyle style)
{
  g_autofree char *label = make_label (line);
  guint last = layout->n_leading - 1;

  /* Over figures that it cannot have, too. */
  while (last + 1 < layout->n_columns &&
         !can_have (line->row->kind, layout->columns[last + 1]))
    last++;

  jmc_top_frame_add_cell (frame, y, MARK_WIDTH,
                          layout->starts[last] + layout->widths[last] - MARK_WIDTH,
                          JMC_ALIGN_LEFT, style, label);
}

static void
draw_line (JmcTopFrame *frame,
           const JmcTopLayout *layout,
           guint y,
           const JmcTopLine *line,
           gboolean is_selected)
{
  JmcTopStyle style = is_selected            ? JMC_TOP_REVERSE
                      : line->row->has_ended ? JMC_TOP_DIM
                                             : JMC_TOP_PLAIN;

  if (is_selected)
    jmc_top_frame_fill (frame, y, style);
  if (line->row->kind == JMC_TOP_JOB)
    draw_words_of_job (frame, layout, y, line, style);
  else
    draw_label (frame, layout, y, line, style);

  for (guint i = layout->n_leading; i < layout->n_columns; i++)
    draw_figure (frame, layout, i, y, line->row, style);
}

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
      guint end = x + jmc_text_get_width (hints[i].key) + 1 +
                  jmc_text_get_width (hints[i].meaning);

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
  guint over = jmc_text_get_width (text) + 3;
  GString *head = g_string_new (text);
  const char *tail;

  if (jmc_text_get_width (text) <= width)
    return g_string_free (head, FALSE);

  jmc_text_cut (head, head_width);
  for (tail = text + head->len; *tail != '\0' && over > width;
       tail = g_utf8_next_char (tail))
    over = head_width + 3 + jmc_text_get_width (g_utf8_next_char (tail));
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

      draw_line (frame, layout, FIRST_LINE + i, jmc_top_model_get_line (model, number),
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
  draw_titles (frame, &layout, TITLES, sort, is_reversed);
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

/* The same for a page of any length, as text. @width 0 is that of all columns; @points is
 * NULL, but for a past time. */
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
  draw_titles (frame, &layout, TITLES, sort, is_reversed);
  for (guint i = 0; i < n_lines; i++)
    draw_line (frame, &layout, FIRST_LINE + i, jmc_top_model_get_line (model, i),
               FALSE);
  if (n_lines == 0)
    jmc_top_frame_add (frame, FIRST_LINE, 0, JMC_TOP_PLAIN,
                       describe_nothing (model, points != NULL));

  return jmc_top_frame_to_text (frame);
}
