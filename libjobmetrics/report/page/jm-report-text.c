/* jm-report-text.c: the report of a run as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-report.h"

#include <string.h>

#include "base/jm-safe-text-private.h"
#include "base/jm-text-width-private.h"
#include "core/jm-quantity-private.h"
#include "judge/jm-run-report-private.h"
#include "report/page/jm-report-content-private.h"

#define USUAL_WIDTH 80
#define LEAST_WIDTH 48
#define MOST_WIDTH 120

#define INDENT 2
#define GAP 2
#define LABEL_CELLS 14
#define MAX_BAR_CELLS 50
#define LEVEL_CELLS 9

/* So many lines may the sentences of a brief report have. */
#define MAX_BRIEF_LINES 2
#define MAX_CAUSE_LINES 5
/* Of a run that used nothing so far, which has no bars above. */
#define MAX_LONE_LINES 8
#define ELLIPSIS "..."

#define BOLD "\033[1m"
#define PLAIN "\033[0m"

static const char *const colors[JM_N_REPORT_TONES] = {
  [JM_REPORT_TONE_PLAIN] = "\033[36m",
  [JM_REPORT_TONE_GOOD] = "\033[32m",
  [JM_REPORT_TONE_FAIR] = "\033[33m",
  [JM_REPORT_TONE_POOR] = "\033[31m",
};

typedef struct
{
  GString *out;
  guint width;
  gboolean color;
} Page;

static Page
page_new (guint width, gboolean color)
{
  return (Page){ g_string_new (NULL),
                 width > 0 ? CLAMP (width, LEAST_WIDTH, MOST_WIDTH) : USUAL_WIDTH,
                 color };
}

/* --- words --- */

static void
append_repeated (GString *out, char c, guint n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_c (out, c);
}

static void
append_padded (GString *out, const char *text, guint cells, gboolean is_right)
{
  const guint used = jm_text_width_get (text);
  const guint lacking = cells > used ? cells - used : 0;

  if (is_right)
    append_repeated (out, ' ', lacking);
  g_string_append (out, text);
  if (!is_right)
    append_repeated (out, ' ', lacking);
}

static void
append_rule (Page *self, char c)
{
  append_repeated (self->out, c, self->width);
  g_string_append_c (self->out, '\n');
}

static void
append_colored (Page *self, const char *color, const char *text)
{
  if (self->color && color != NULL)
    g_string_append_printf (self->out, "%s%s" PLAIN, color, text);
  else
    g_string_append (self->out, text);
}

static void
append_heading (Page *self, const char *title)
{
  g_string_append_c (self->out, '\n');
  append_colored (self, BOLD, title);
  g_string_append_c (self->out, '\n');
  append_rule (self, '-');
}

/* What of @text goes on one line: as many words as fit, or as much of the first. */
static gsize
measure_line (const char *text, guint cells)
{
  const gsize fit = jm_text_width_fit (text, cells);
  gsize n = fit;

  if (text[fit] == '\0')
    return fit;
  while (n > 0 && text[n] != ' ')
    n--;

  return n > 0 ? n : MAX (fit, 1);
}

/* The cursor stands behind @indent already; each further line begins there. What does
 * not fit into @max_lines is cut off. */
static void
append_lines_of (Page *self,
                 const char *text,
                 guint indent,
                 const char *color,
                 guint max_lines)
{
  const guint cells = self->width > indent ? self->width - indent : 1;

  for (guint n_lines = 1;; n_lines++)
    {
      const gboolean is_cut =
        n_lines == max_lines && text[measure_line (text, cells)] != '\0';
      const gsize n = measure_line (text, is_cut && cells > strlen (ELLIPSIS)
                                            ? cells - strlen (ELLIPSIS)
                                            : cells);
      g_autofree char *words = g_strndup (text, n);
      g_autofree char *line = g_strconcat (words, is_cut ? ELLIPSIS : NULL, NULL);

      append_colored (self, color, line);
      g_string_append_c (self->out, '\n');
      text += n;
      while (*text == ' ')
        text++;
      if (*text == '\0' || is_cut)
        return;
      append_repeated (self->out, ' ', indent);
    }
}

static void
append_wrapped (Page *self, const char *text, guint indent, const char *color)
{
  append_lines_of (self, text, indent, color, G_MAXUINT);
}

/* --- its parts --- */

static void
append_head (Page *self, const char *title)
{
  const gsize fit = jm_text_width_fit (title, self->width);
  g_autofree char *cut = g_strndup (title, fit);

  append_rule (self, '=');
  append_repeated (self->out, ' ', (self->width - jm_text_width_get (cut)) / 2);
  append_colored (self, BOLD, cut);
  g_string_append_c (self->out, '\n');
  append_rule (self, '=');
}

static guint
measure_titles (GArray *lines)
{
  guint cells = LABEL_CELLS;

  for (guint i = 0; i < lines->len; i++)
    cells =
      MAX (cells, jm_text_width_get (g_array_index (lines, JmReportLine, i).title));

  return cells;
}

static void
append_line (Page *self, const JmReportLine *line, guint cells, guint max_lines)
{
  append_padded (self->out, line->title, cells, TRUE);
  g_string_append (self->out, ": ");
  append_lines_of (self, line->text, cells + 2,
                   line->tone == JM_REPORT_TONE_PLAIN ? NULL : colors[line->tone],
                   max_lines);
}

static void
append_lines (Page *self, GArray *lines)
{
  const guint cells = measure_titles (lines);

  for (guint i = 0; i < lines->len; i++)
    append_line (self, &g_array_index (lines, JmReportLine, i), cells, G_MAXUINT);
}

/* `[|||||||      42.0%]`, so that the last bar of a full one is beside the number. */
static void
append_strokes (Page *self, const JmReportBar *bar)
{
  const guint cells = MIN (MAX_BAR_CELLS, self->width - LABEL_CELLS - 2 * INDENT - 2);
  g_autofree char *number = jm_report_bar_format (bar);
  const guint room = cells - (guint) strlen (number);
  const double share = CLAMP (bar->share.value, 0, 100);
  const guint filled = MIN ((guint) (share * cells / 100), room);
  g_autofree char *strokes = g_strnfill (filled, '|');

  g_string_append_c (self->out, '[');
  append_colored (self, colors[bar->tone], strokes);
  append_repeated (self->out, ' ', room - filled);
  g_string_append_printf (self->out, "%s]\n", number);
}

static void
append_bar (Page *self, const JmReportBar *bar)
{
  append_padded (self->out, bar->title, LABEL_CELLS, TRUE);
  append_repeated (self->out, ' ', INDENT);
  if (bar->share.is_known)
    append_strokes (self, bar);
  else
    g_string_append (self->out, JM_REPORT_ABSENT "\n");
}

static void
append_bars (Page *self, GArray *bars)
{
  append_heading (self, "Overall");
  for (guint i = 0; i < bars->len; i++)
    append_bar (self, &g_array_index (bars, JmReportBar, i));
}

/* --- tables --- */

/* Which columns are shown, and how wide. */
typedef struct
{
  const JmReportTable *table;
  guint *cells; /* 0 for a column that is left out */
} Layout;

static const JmReportColumn *
get_column (const JmReportTable *table, guint column)
{
  return &g_array_index (table->columns, JmReportColumn, column);
}

static const char *
get_shown (const JmReportTable *table, guint row, guint column)
{
  const char *cell = jm_report_table_get_cell (table, row, column);

  return cell != NULL ? cell : JM_REPORT_ABSENT;
}

static void
measure (Layout *self)
{
  for (guint i = 0; i < self->table->columns->len; i++)
    {
      self->cells[i] = jm_text_width_get (get_column (self->table, i)->title);
      for (guint k = 0; k < jm_report_table_get_n_rows (self->table); k++)
        self->cells[i] =
          MAX (self->cells[i], jm_text_width_get (get_shown (self->table, k, i)));
    }
}

static guint
get_total (const Layout *self)
{
  guint total = INDENT - GAP;

  for (guint i = 0; i < self->table->columns->len; i++)
    total += self->cells[i] > 0 ? self->cells[i] + GAP : 0;

  return total;
}

/* Takes a column away, else narrows the widest that has words. FALSE where neither
 * helps. */
static gboolean
make_room (Layout *self, guint width)
{
  guint last = 0;
  guint widest = 0;

  for (guint i = 0; i < self->table->columns->len; i++)
    if (self->cells[i] > 0)
      {
        const JmReportColumn *column = get_column (self->table, i);

        if (column->rank > get_column (self->table, last)->rank ||
            self->cells[last] == 0)
          last = i;
        if (!column->is_number && self->cells[i] > self->cells[widest])
          widest = i;
      }

  if (get_column (self->table, last)->rank > 0)
    self->cells[last] = 0;
  else if (self->cells[widest] > LABEL_CELLS)
    self->cells[widest] =
      MAX (LABEL_CELLS,
           self->cells[widest] - MIN (self->cells[widest], get_total (self) - width));
  else
    return FALSE;

  return TRUE;
}

static void
append_cell (Page *self, const Layout *layout, guint column, const char *text)
{
  const guint cells = layout->cells[column];
  g_autofree char *cut = g_strndup (text, jm_text_width_fit (text, cells));

  append_padded (self->out, cut, cells, get_column (layout->table, column)->is_number);
}

static void
append_row (Page *self, const Layout *layout, int row)
{
  gsize begin = self->out->len;

  for (guint i = 0; i < layout->table->columns->len; i++)
    if (layout->cells[i] > 0)
      {
        append_repeated (self->out, ' ', GAP);
        append_cell (self, layout, i,
                     row < 0 ? get_column (layout->table, i)->title
                             : get_shown (layout->table, (guint) row, i));
      }
  while (self->out->len > begin && self->out->str[self->out->len - 1] == ' ')
    g_string_truncate (self->out, self->out->len - 1);
  g_string_append_c (self->out, '\n');
}

static void
append_table (Page *self, const JmReportTable *table)
{
  const guint n_rows = jm_report_table_get_n_rows (table);
  g_autofree guint *cells = g_new0 (guint, table->columns->len);
  Layout layout = { table, cells };
  gboolean can_shrink = TRUE;

  measure (&layout);
  while (can_shrink && get_total (&layout) > self->width)
    can_shrink = make_room (&layout, self->width);

  append_heading (self, table->title);
  append_row (self, &layout, -1);
  for (guint i = 0; i < n_rows; i++)
    {
      if (table->has_sum && i + 1 == n_rows && table->n_left_out > 0)
        g_string_append_printf (self->out, "  and %u more\n", table->n_left_out);
      append_row (self, &layout, (int) i);
    }
}

/* --- advice --- */

static void
append_hint_lines (Page *self, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      {
        append_repeated (self->out, ' ', INDENT + LEVEL_CELLS);
        append_wrapped (self, lines[i], INDENT + LEVEL_CELLS, NULL);
      }
}

static void
append_hint (Page *self, const JmReportHint *hint)
{
  append_repeated (self->out, ' ', INDENT);
  append_colored (self, colors[hint->tone], hint->level);
  append_repeated (self->out, ' ', LEVEL_CELLS - (guint) strlen (hint->level));
  append_wrapped (self, hint->title != NULL ? hint->title : "", INDENT + LEVEL_CELLS,
                  BOLD);
  append_hint_lines (self, hint->reason);
  append_hint_lines (self, hint->action);
}

static void
append_hints (Page *self, GArray *hints)
{
  if (hints->len == 0)
    return;

  append_heading (self, "Advice");
  for (guint i = 0; i < hints->len; i++)
    {
      if (i > 0)
        g_string_append_c (self->out, '\n');
      append_hint (self, &g_array_index (hints, JmReportHint, i));
    }
}

/* --- all of it --- */

static void
append_content (Page *self, JmReportContent *content)
{
  append_head (self, content->title);
  append_lines (self, content->verdict);
  if (content->verdict->len > 0)
    g_string_append_c (self->out, '\n');
  append_lines (self, content->identity);
  append_bars (self, content->bars);
  append_hints (self, content->hints);
  for (guint i = 0; i < content->tables->len; i++)
    append_table (self, content->tables->pdata[i]);
  if (content->energy->len > 0)
    append_heading (self, "Energy and emissions");
  append_lines (self, content->energy);
  if (content->meters != NULL)
    append_table (self, content->meters);
  if (content->figures->len > 0)
    {
      append_heading (self, "What else was seen");
      append_lines (self, content->figures);
    }
  if (content->is_estimated)
    {
      g_string_append_c (self->out, '\n');
      append_wrapped (self,
                      JM_FIGURE_ESTIMATE_MARK
                      " stands before what is estimated, in part or as a whole.",
                      0, NULL);
    }
}

/* --- the first things of it --- */

/* `Job 12, train.sh, ada, account physics: COMPLETED, exit code 0`. */
static void
append_brief_head (Page *self, JmReportContent *content)
{
  g_autofree char *head =
    g_strconcat (content->title, *content->who != '\0' ? ", " : "", content->who, NULL);

  append_lines_of (self, head, 0, BOLD, 1);
}

/* What it was given, and when it ran. */
static void
append_brief_facts (Page *self, JmReportContent *content)
{
  const char *began = jm_report_lines_find (content->identity, "Began");
  g_autofree char *begin =
    began != NULL ? g_strndup (began, strcspn (began, ",")) : NULL;
  g_autofree char *line =
    g_strconcat (content->brief, begin != NULL && *content->brief != '\0' ? " " : "",
                 begin != NULL ? "from " : "", begin, NULL);

  if (*line != '\0')
    append_lines_of (self, line, 0, NULL, 1);
}

static void
append_brief_bars (Page *self, GArray *bars)
{
  for (guint i = 0; i < bars->len; i++)
    if (!g_str_equal (g_array_index (bars, JmReportBar, i).title, "GPU memory"))
      append_bar (self, &g_array_index (bars, JmReportBar, i));
}

static void
append_brief_line (Page *self, const JmReportLine *line, gboolean has_bars)
{
  const gboolean is_cause = g_str_equal (line->title, "Cause");
  const gboolean is_verdict = g_str_equal (line->title, "Verdict");

  append_line (self, line, LABEL_CELLS,
               is_cause     ? MAX_CAUSE_LINES
               : is_verdict ? 1
               : has_bars   ? MAX_BRIEF_LINES
                            : MAX_LONE_LINES);
}

/**
 * jm_run_report_to_brief:
 * @self: a report
 * @advice: (nullable) (element-type JmRunAdvice): what is said of it, or %NULL to leave
 *   that out
 * @more: (nullable): a line on where there is more to read
 * @width: columns of the page, or 0 for 80
 * @color: whether it is coloured, by escape sequences of terminals
 *
 * Makes of a report what a user asks first, in at most twelve lines of 80 cells: who
 * and what the run was, bars, and the verdict.
 *
 * Returns: (transfer full): lines of text
 * Since: 0.1
 */
char *
jm_run_report_to_brief (JmRunReport *self,
                        GPtrArray *advice,
                        const char *more,
                        guint width,
                        gboolean color)
{
  g_autofree char *safe = more != NULL ? jm_safe_text_make (more) : NULL;
  g_autoptr (JmReportContent) content = NULL;
  Page page;

  g_return_val_if_fail (self != NULL, NULL);

  content = jm_report_content_new (self, advice);
  page = page_new (width, color);
  append_brief_head (&page, content);
  append_brief_facts (&page, content);
  append_brief_bars (&page, content->bars);
  for (guint i = 0; i < content->verdict->len; i++)
    append_brief_line (&page, &g_array_index (content->verdict, JmReportLine, i),
                       content->bars->len > 0);
  /* in one piece, to be copied */
  if (safe != NULL)
    {
      append_padded (page.out, "More", LABEL_CELLS, TRUE);
      g_string_append_printf (page.out, ": %s\n", safe);
    }

  return g_string_free (page.out, FALSE);
}

/* --- the whole --- */

/**
 * jm_run_report_to_text:
 * @self: a report
 * @advice: (nullable) (element-type JmRunAdvice): what is said of it, or %NULL to leave
 *   that out
 * @width: columns of the page, or 0 for 80
 * @color: whether it is coloured, by escape sequences of terminals
 *
 * Makes of a report what people read at a terminal or in a mail: who the run was, bars
 * of what it used of what it was given, its nodes and accelerators, the advice, energy
 * and emissions, and what else is known. What is absent is a dash, and has no bar. No
 * name in it steers a terminal.
 *
 * Returns: (transfer full): lines of text
 * Since: 0.1
 */
char *
jm_run_report_to_text (JmRunReport *self,
                       GPtrArray *advice,
                       guint width,
                       gboolean color)
{
  g_autoptr (JmReportContent) content = NULL;
  Page page;

  g_return_val_if_fail (self != NULL, NULL);

  content = jm_report_content_new (self, advice);
  page = page_new (width, color);
  append_content (&page, content);

  return g_string_free (page.out, FALSE);
}
