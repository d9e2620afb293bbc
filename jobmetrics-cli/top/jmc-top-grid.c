/* jmc-top-grid.c: the table of jobs in a frame
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-parts.h"

#include "base/jm-text-width-private.h"

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
  const guint title = jm_text_width_get (jmc_top_column_get_title (column));
  const gboolean is_word = column < JMC_TOP_N_TEXTS;
  const char *arrow =
    is_word != is_reversed ? get_signs ()->rising : get_signs ()->falling;
  /* The gap before figures has room for it, and that behind words. */
  const guint x = is_word ? get_title_start (layout, index) + title
                          : layout->starts[index] + layout->widths[index] - title - 1;

  jmc_top_frame_add (frame, y, x, JMC_TOP_REVERSE | JMC_TOP_BOLD, arrow);
}

void
jmc_top_grid_draw_titles (JmcTopFrame *frame,
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
                          JM_TEXT_ALIGN_RIGHT, style, number);
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
                              layout->widths[i] - indent, JM_TEXT_ALIGN_LEFT, style,
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
                          JM_TEXT_ALIGN_LEFT, style, label);
}

void
jmc_top_grid_draw_line (JmcTopFrame *frame,
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
