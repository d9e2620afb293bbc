/* jm-run-storage.c: the storage that a run was given
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-storage-private.h"

#include <string.h>

#include "core/jm-run-field-private.h"
#include "core/jm-run-private.h"
#include "schedulers/jm-scheduler-value-private.h"

#define BURST_BUFFER "bb/"
/* A text is shortened at the end of a character. */
#define CHARACTER_MAX 4

/* The item @name, whose count follows a `=`; FALSE where the list has none. */
static gboolean
find_count (const char *tres, const char *name, JmSlice *count)
{
  JmSlice rest = { tres, strlen (tres) };
  JmSlice item, first;

  while (jm_slice_take_word (&rest, ',', &item))
    {
      jm_slice_take_word (&item, '=', &first);
      if (!jm_slice_equal (first, name))
        continue;
      *count = item.text != NULL ? item : (JmSlice){ "", 0 };
      return TRUE;
    }

  return FALSE;
}

JmFigure
jm_run_storage_get_bytes (JmRun *run, const char *name, guint64 unit)
{
  const char *tres = jm_run_peek_text (run, JM_RUN_FIELD_TRES);
  const gboolean is_mebibytes = unit == 0 && g_str_has_prefix (name, BURST_BUFFER);
  JmSchedulerParse parse =
    is_mebibytes ? jm_scheduler_parse_memory : jm_scheduler_parse_amount;
  JmSlice text;
  guint64 count;
  gboolean has;

  if (tres == NULL ||
      (gint64) strlen (tres) + CHARACTER_MAX > jm_run_field_get_max (JM_RUN_FIELD_TRES))
    return (JmFigure){ 0 };
  if (!find_count (tres, name, &text))
    return jm_figure_known (0);
  if (!parse (text, &count, &has) || !has)
    return (JmFigure){ 0 };

  return jm_figure_known ((double) count * (double) MAX (unit, 1));
}
