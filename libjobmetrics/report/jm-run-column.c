/* jm-run-column.c: a column of a list of runs, as people and programs read it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/jm-run-column-private.h"

#include "core/jm-format.h"
#include "core/jm-run-document-private.h"
#include "core/jm-run-private.h"

static const char *
get_identity (JmQuantityId quantity, JmRun *run)
{
  switch (quantity)
    {
    case JM_QUANTITY_CLUSTER:
      return jm_run_get_cluster (run);
    case JM_QUANTITY_SCHEDULER:
      return jm_run_get_scheduler (run);
    case JM_QUANTITY_RAW_ID:
      return jm_run_get_raw_id (run);
    case JM_QUANTITY_JOBID:
      return jm_run_derived_get_job_id (run);
    default:
      return NULL;
    }
}

/* The heading of a share has the sign of per cent already. */
char *
jm_run_column_format (const JmRunColumn *self, JmRun *run)
{
  const JmFormat format = jm_quantity_get (self->quantity)->format;
  JmFigure figure;

  if (format == JM_FORMAT_TEXT)
    return jm_run_column_to_string (self, run);

  figure = jm_run_derived_get (run, self->quantity);
  if (!figure.is_known)
    return NULL;
  if (format == JM_FORMAT_PERCENT)
    return g_strdup_printf ("%.1f", figure.value);
  /* a number of nodes or CPUs is written to the last one */
  if (format == JM_FORMAT_COUNT && self->field < JM_N_RUN_FIELDS)
    return g_strdup_printf ("%.0f", figure.value);

  return jm_figure_format (figure, format);
}

char *
jm_run_column_to_string (const JmRunColumn *self, JmRun *run)
{
  const char *identity = get_identity (self->quantity, run);
  JmFigure figure;

  if (identity != NULL)
    return g_strdup (identity);
  if (self->field < JM_N_RUN_FIELDS && self->field != JM_RUN_FIELD_ELAPSED)
    return jm_run_document_format (run, self->field);

  figure = jm_run_derived_get (run, self->quantity);

  return figure.is_known ? jm_number_to_string (figure.value) : NULL;
}
