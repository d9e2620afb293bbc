/* jmc-reportseff.c: a list of runs with the columns of reportseff
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-reportseff.h"

#include "core/jm-safe-text-private.h"
#include "jmc-text.h"
#include "store/jm-run-derived-private.h"

#define N_COLUMNS 6
/* Cells that a column is wider than its widest text. */
#define BORDER 2
#define ABSENT "---"

#define BOLD "\033[1m"
#define RED "\033[31m"
#define GREEN "\033[32m"
#define PLAIN "\033[0m"

static const struct
{
  const char *title;
  gboolean is_right; /* else centered */
} columns[N_COLUMNS] = {
  { "JobID", TRUE },    { "State", FALSE },  { "Elapsed", TRUE },
  { "TimeEff", FALSE }, { "CPUEff", FALSE }, { "MemEff", FALSE },
};

/* Per cent below which a share is red, and above which it is green or red again. */
typedef struct
{
  double poor;
  double good;
  double full;
} Scale;

static const Scale use = { 20, 80, G_MAXDOUBLE };
static const Scale room = { 20, 60, 90 };

typedef struct
{
  char *text;
  const char *color; /* NULL for none */
} Cell;

static void
clear_cell (gpointer cell)
{
  g_free (((Cell *) cell)->text);
}

static void
take (GArray *cells, char *text, const char *color)
{
  const Cell cell = { jm_safe_text_make (text != NULL ? text : ABSENT), color };

  g_array_append_val (cells, cell);
  g_free (text);
}

/* `1-02:03:04`, as Slurm writes it. */
static char *
format_elapsed (JmFigure elapsed)
{
  const guint64 seconds = elapsed.value > 0 ? (guint64) elapsed.value : 0;
  const guint64 days = seconds / 86400;
  g_autofree char *clock = NULL;

  if (!elapsed.is_known)
    return NULL;

  clock = g_strdup_printf ("%02u:%02u:%02u", (guint) (seconds / 3600 % 24),
                           (guint) (seconds / 60 % 60), (guint) (seconds % 60));

  return days > 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT "-%s", days, clock)
                  : g_steal_pointer (&clock);
}

static void
take_share (GArray *cells, JmFigure share, const Scale *scale)
{
  const char *color = NULL;

  if (share.is_known && (share.value < scale->poor || share.value > scale->full))
    color = RED;
  else if (share.is_known && share.value > scale->good)
    color = GREEN;
  take (cells, share.is_known ? g_strdup_printf ("%.1f%%", share.value) : NULL, color);
}

static void
take_state (GArray *cells, const char *state)
{
  static const char *const failed[] = { "FAILED", "TIMEOUT", "OUT_OF_MEMORY",
                                        "NODE_FAIL", NULL };
  const char *color = NULL;

  if (g_strcmp0 (state, "COMPLETED") == 0)
    color = GREEN;
  else if (state != NULL && g_strv_contains (failed, state))
    color = RED;
  take (cells, g_strdup (state), color);
}

static void
take_run (GArray *cells, JmStoredRun *run)
{
  take (cells, g_strdup (jm_run_derived_get_job_id (run)), NULL);
  take_state (cells, jm_stored_run_get_text (run, JM_RUN_FIELD_STATE));
  take (cells, format_elapsed (jm_run_derived_get (run, JM_QUANTITY_ELAPSED)), NULL);
  take_share (cells, jm_run_derived_get (run, JM_QUANTITY_TIME_SHARE), &room);
  take_share (cells, jm_run_derived_get (run, JM_QUANTITY_CPU_EFFICIENCY), &use);
  take_share (cells, jm_run_derived_get (run, JM_QUANTITY_MEMORY_SHARE), &room);
}

static void
append_cell (GString *line, guint column, guint width, const Cell *cell, gboolean color)
{
  const guint missing = width - jmc_text_get_width (cell->text);
  const guint before = columns[column].is_right ? missing : missing / 2;

  g_string_append_printf (line, "%s%*s", column > 0 ? " " : "", (int) before, "");
  if (color && cell->color != NULL)
    g_string_append_printf (line, "%s%s" PLAIN, cell->color, cell->text);
  else
    g_string_append (line, cell->text);
  if (column + 1 < N_COLUMNS)
    g_string_append_printf (line, "%*s", (int) (missing - before), "");
}

char *
jmc_reportseff_format (GPtrArray *runs, gboolean is_bare, gboolean color)
{
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  guint widths[N_COLUMNS] = { 0 };
  GString *text = g_string_new (NULL);

  g_array_set_clear_func (cells, clear_cell);
  for (guint i = 0; i < N_COLUMNS && !is_bare; i++)
    take (cells, g_strdup (columns[i].title), BOLD);
  for (guint i = 0; i < runs->len; i++)
    take_run (cells, runs->pdata[i]);

  for (guint i = 0; i < cells->len; i++)
    widths[i % N_COLUMNS] =
      MAX (widths[i % N_COLUMNS],
           jmc_text_get_width (g_array_index (cells, Cell, i).text) + BORDER);
  for (guint i = 0; i < cells->len; i++)
    {
      append_cell (text, i % N_COLUMNS, widths[i % N_COLUMNS],
                   &g_array_index (cells, Cell, i), color);
      if (i % N_COLUMNS == N_COLUMNS - 1)
        g_string_append_c (text, '\n');
    }

  return g_string_free (text, FALSE);
}
