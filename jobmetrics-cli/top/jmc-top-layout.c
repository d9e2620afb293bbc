/* jmc-top-layout.c: which columns fit into a line, and where they stand
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-parts.h"

#include "base/jm-text-width-private.h"
#include "top/jmc-top-row.h"

#define GAP 1
#define MARK_WIDTH 2 /* of the mark before a job's id that shows whether it is open */
#define MAX_WORD 18  /* an id of 16, after its mark */
#define MAX_NAME 40
#define MIN_NAME 6

static guint
measure_words (GPtrArray *jobs, JmcTopColumn column)
{
  guint most = 0;

  for (guint i = 0; i < jobs->len; i++)
    {
      const JmcTopRow *row = jobs->pdata[i];

      if (row->texts[column] != NULL)
        most = MAX (most, jm_text_width_get (row->texts[column]));
    }

  return column == JMC_TOP_ID ? most + MARK_WIDTH : most;
}

/* Figures have their width; words take as much as they need within bounds. A name is
 * content with little at first. */
static guint
get_least_width (GPtrArray *jobs, JmcTopColumn column)
{
  guint least = jmc_top_column_get_info (column)->width;

  if (column >= JMC_TOP_NAME)
    return least;

  return CLAMP (measure_words (jobs, column), least, MAX_WORD);
}

/* A name gives way to ids and users that take more than they usually do: it is easier
 * guessed than a figure that is not there. */
static guint
get_least_name (const guint *widths)
{
  guint least = jmc_top_column_get_info (JMC_TOP_NAME)->width;

  for (guint i = 0; i < JMC_TOP_NAME; i++)
    if (jmc_top_column_get_info (i)->rank <
        jmc_top_column_get_info (JMC_TOP_NAME)->rank)
      least -= MIN (least - MIN_NAME, widths[i] - jmc_top_column_get_info (i)->width);

  return least;
}

/* Most nodes measure no energy, and have no accelerators. */
static gboolean
is_rare (JmcTopColumn column)
{
  return column == JMC_TOP_WATTS || column == JMC_TOP_ENERGY ||
         column == JMC_TOP_GPU_PERCENT || column == JMC_TOP_GPU_MEMORY;
}

static gboolean
is_there (GPtrArray *jobs, JmcTopColumn column)
{
  if (!is_rare (column))
    return TRUE;

  for (guint i = 0; i < jobs->len; i++)
    {
      const JmcTopRow *row = jobs->pdata[i];

      if (row->figures[column].is_known)
        return TRUE;
    }

  return FALSE;
}

/* A column without a width is not there. */
static guint
sum_of_rank (const guint *widths, guint rank)
{
  guint sum = 0;

  for (guint i = 0; i < JMC_TOP_N_COLUMNS; i++)
    if (jmc_top_column_get_info (i)->rank == rank && widths[i] > 0)
      sum += widths[i] + (i > 0 ? GAP : 0);

  return sum;
}

/* The lowest rank that does not fit any more. Returns the cells that are left. */
static guint
find_end (const guint *widths, guint width, guint *end)
{
  for (*end = 0; *end < JMC_TOP_N_COLUMNS; (*end)++)
    {
      guint sum = sum_of_rank (widths, *end);

      if (sum > width)
        break;
      width -= sum;
    }

  return width;
}

static void
add_column (JmcTopLayout *self, JmcTopColumn column, guint width)
{
  guint start = self->n_columns > 0 ? self->width + GAP : 0;

  self->columns[self->n_columns] = column;
  self->starts[self->n_columns] = start;
  self->widths[self->n_columns] = width;
  self->n_columns++;
  self->width = start + width;
  if (column < JMC_TOP_N_TEXTS)
    self->n_leading = self->n_columns;
}

/* Lays the columns out for @jobs, of JmcTopRow, in lines of @width cells. */
JmcTopLayout
jmc_top_layout_make (GPtrArray *jobs, guint width)
{
  JmcTopLayout self = { 0 };
  guint widths[JMC_TOP_N_COLUMNS];
  guint end;
  guint spare;

  for (guint i = 0; i < JMC_TOP_N_COLUMNS; i++)
    widths[i] = is_there (jobs, i) ? get_least_width (jobs, i) : 0;
  widths[JMC_TOP_NAME] = get_least_name (widths);
  spare = find_end (widths, width, &end);

  widths[JMC_TOP_NAME] += MIN (spare, CLAMP (measure_words (jobs, JMC_TOP_NAME),
                                             widths[JMC_TOP_NAME], MAX_NAME) -
                                        widths[JMC_TOP_NAME]);
  for (guint i = 0; i < JMC_TOP_N_COLUMNS; i++)
    if (jmc_top_column_get_info (i)->rank < end && widths[i] > 0)
      add_column (&self, i, widths[i]);

  return self;
}
