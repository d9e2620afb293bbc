/* jm-statement.c: a table as a document: a page of HTML, or pages of PDF
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-safe-text-private.h"
#include "base/jm-text-table-private.h"
#include "report/jm-table-private.h"
#include "report/page/jm-report-html-private.h"
#include "report/page/jm-report-pdf-private.h"
#include "report/page/jm-report-tables-private.h"

/* What a line of A4, or of a browser, has room for beside the names. */
#define FIGURES 7

/* --- a table --- */

static gboolean
is_name (GArray *columns, guint column)
{
  return g_array_index (columns, JmTextColumn, column).align == JM_TEXT_ALIGN_LEFT;
}

static void
add_column (JmReportTable *table, GArray *columns, guint at)
{
  const JmReportColumn column = { g_array_index (columns, JmTextColumn, at).title,
                                  !is_name (columns, at), 0 };

  g_array_append_val (table->columns, column);
}

/* The names that lines begin with, and the figures from @from to before @to. */
static JmReportTable *
make_table (GArray *columns, GPtrArray *cells, guint n_names, guint from, guint to)
{
  JmReportTable *table = g_new0 (JmReportTable, 1);

  table->title = from == n_names ? "Figures" : "Further figures";
  table->caption = "";
  table->columns = g_array_new (FALSE, FALSE, sizeof (JmReportColumn));
  table->cells = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < columns->len; i++)
    if (i < n_names || (i >= from && i < to))
      add_column (table, columns, i);
  for (guint i = 0; i < cells->len; i++)
    {
      const guint at = i % columns->len;

      if (at < n_names || (at >= from && at < to))
        g_ptr_array_add (table->cells, cells->pdata[i] != NULL
                                         ? jm_safe_text_make (cells->pdata[i])
                                         : NULL);
    }

  return table;
}

/* Wide ones are several, one below the other, with the names in each. */
static void
add_tables (GPtrArray *tables, JmTable *self)
{
  g_autoptr (GArray) columns = NULL;
  g_autoptr (GPtrArray) cells = jm_table_list_cells (self, &columns);
  guint n_names = 0;

  while (n_names < columns->len && is_name (columns, n_names))
    n_names++;
  for (guint from = n_names; from == n_names || from < columns->len; from += FIGURES)
    g_ptr_array_add (tables, make_table (columns, cells, n_names, from,
                                         MIN (from + FIGURES, columns->len)));
}

/* --- a document --- */

static JmReportContent *
make_content (JmTable *self, const char *title, const char *const *notes)
{
  JmReportContent *content = g_new0 (JmReportContent, 1);

  content->title = jm_safe_text_make (title);
  content->who = g_strdup ("");
  content->brief = g_strdup ("");
  content->verdict = jm_report_lines_new ();
  content->identity = jm_report_lines_new ();
  content->bars = g_array_new (FALSE, FALSE, sizeof (JmReportBar));
  content->tables =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_report_table_free);
  content->hints = g_array_new (FALSE, FALSE, sizeof (JmReportHint));
  content->energy = jm_report_lines_new ();
  content->figures = jm_report_lines_new ();
  content->notes = jm_report_lines_new ();
  content->is_estimated = jm_table_has_estimates (self);
  add_tables (content->tables, self);
  for (guint i = 0; notes != NULL && notes[i] != NULL; i++)
    jm_report_lines_take (content->notes, "Source", g_strdup (notes[i]));

  return content;
}

/**
 * jm_table_to_html_page:
 * @self: a table
 * @title: the title of the page
 * @notes: (nullable) (array zero-terminated=1): lines below the table, such as the
 *   sources of its figures
 *
 * Makes of a table a page for browsers, which needs nothing else: it has its style
 * sheet in it and no script, follows light and dark, and prints. It is well-formed XML.
 * A table with many columns is divided: the names stand in each part.
 *
 * Returns: (transfer full): a document of UTF-8
 * Since: 0.1
 */
char *
jm_table_to_html_page (JmTable *self, const char *title, const char *const *notes)
{
  g_autoptr (JmReportContent) content = NULL;
  g_autoptr (GPtrArray) plots = g_ptr_array_new ();

  g_return_val_if_fail (JM_IS_TABLE (self), NULL);
  g_return_val_if_fail (title != NULL, NULL);

  content = make_content (self, title, notes);

  return jm_report_html_format (content, plots, NULL, NULL);
}

/**
 * jm_table_to_pdf:
 * @self: a table
 * @title: the title of the document
 * @notes: (nullable) (array zero-terminated=1): lines below the table, such as the
 *   sources of its figures
 * @error: return location for an error
 *
 * Makes of a table pages of A4. A table with many columns is divided: the names stand
 * in each part.
 *
 * - Errors: `ABSENT` where the library was built without the feature `plots`.
 *
 * Returns: (transfer full): the file
 * Since: 0.1
 */
GBytes *
jm_table_to_pdf (JmTable *self,
                 const char *title,
                 const char *const *notes,
                 GError **error)
{
  g_autoptr (JmReportContent) content = NULL;
  g_autoptr (GPtrArray) plots = g_ptr_array_new ();

  g_return_val_if_fail (JM_IS_TABLE (self), NULL);
  g_return_val_if_fail (title != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  content = make_content (self, title, notes);

  return jm_report_pdf_draw (content, plots, error);
}
