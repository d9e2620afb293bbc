/* jm-run-derived.c: what a site keeps of a run, and what follows from it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/jm-run-derived-private.h"

#include "core/jm-figures-private.h"
#include "core/jm-number.h"
#include "report/jm-run-document-private.h"
#include "store/jm-run-field-private.h"

static const JmRunColumn columns[] = {
#include "store/jm-run-columns.inc"
};

static const JmFigure absent = { 0, FALSE, FALSE };

JmFigure
jm_run_derived_get_figure (JmStoredRun *run, JmRunField field)
{
  gint64 number;

  if (jm_run_field_is_text (field) || !jm_stored_run_get_number (run, field, &number))
    return (JmFigure){ 0 };

  return jm_figure_known ((double) number / jm_run_field_get_parts (field));
}

/* How long it ran: where nobody knows, from its begin to its end. */
static JmFigure
get_elapsed (JmStoredRun *run)
{
  JmFigure elapsed = jm_run_derived_get_figure (run, JM_RUN_FIELD_ELAPSED);
  JmFigure start = jm_run_derived_get_figure (run, JM_RUN_FIELD_START_TIME);
  JmFigure end = jm_run_derived_get_figure (run, JM_RUN_FIELD_END_TIME);

  if (elapsed.is_known || !start.is_known || !end.is_known || end.value < start.value)
    return elapsed;

  return jm_figure_known (end.value - start.value);
}

static JmFigure
get_wait (JmStoredRun *run)
{
  JmFigure submit = jm_run_derived_get_figure (run, JM_RUN_FIELD_SUBMIT_TIME);
  JmFigure start = jm_run_derived_get_figure (run, JM_RUN_FIELD_START_TIME);

  if (!submit.is_known || !start.is_known || start.value < submit.value)
    return absent;

  return jm_figure_known (start.value - submit.value);
}

static const JmRunColumn *
find_column (JmQuantityId quantity)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (columns[i].quantity == quantity)
      return &columns[i];

  return NULL;
}

static JmFigure
get_known (JmStoredRun *run, JmQuantityId quantity)
{
  const JmRunColumn *column = find_column (quantity);

  if (quantity == JM_QUANTITY_ELAPSED)
    return get_elapsed (run);
  if (quantity == JM_QUANTITY_WAIT)
    return get_wait (run);

  return column != NULL && column->field < JM_N_RUN_FIELDS
           ? jm_run_derived_get_figure (run, column->field)
           : absent;
}

/* Expressions are about the memory of each node, whose peak is known: the archive has
 * what was granted on all of them. */
static JmFigure
get_operand (JmQuantityId quantity, gpointer run)
{
  JmFigure figure = get_known (run, quantity);

  return quantity == JM_QUANTITY_MEMORY_ALLOCATED
           ? jm_figures_divide (figure, get_known (run, JM_QUANTITY_NODES))
           : figure;
}

JmFigure
jm_run_derived_get (JmStoredRun *run, JmQuantityId quantity)
{
  JmFigure figure = get_known (run, quantity);

  return figure.is_known ? figure : jm_figures_follow (quantity, get_operand, run);
}

gboolean
jm_run_derived_is_waiting (JmStoredRun *run)
{
  return jm_run_derived_get_figure (run, JM_RUN_FIELD_SUBMIT_TIME).is_known &&
         !jm_run_derived_get_figure (run, JM_RUN_FIELD_START_TIME).is_known &&
         !jm_run_derived_get_figure (run, JM_RUN_FIELD_END_TIME).is_known;
}

const char *
jm_run_derived_get_reason (JmStoredRun *run)
{
  return jm_run_derived_is_waiting (run)
           ? jm_stored_run_get_text (run, JM_RUN_FIELD_REASON)
           : NULL;
}

const char *
jm_run_derived_get_job_id (JmStoredRun *run)
{
  const char *id = jm_stored_run_get_text (run, JM_RUN_FIELD_JOBID);

  return id != NULL ? id : jm_stored_run_get_raw_id (run);
}

/* --- columns --- */

const JmRunColumn *
jm_run_column_get_all (guint *n_columns)
{
  *n_columns = G_N_ELEMENTS (columns);

  return columns;
}

const JmRunColumn *
jm_run_column_from_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (jm_quantity_is_called (jm_quantity_get (columns[i].quantity), name))
      return &columns[i];

  return NULL;
}

static const char *
get_identity (JmQuantityId quantity, JmStoredRun *run)
{
  switch (quantity)
    {
    case JM_QUANTITY_CLUSTER:
      return jm_stored_run_get_cluster (run);
    case JM_QUANTITY_SCHEDULER:
      return jm_stored_run_get_scheduler (run);
    case JM_QUANTITY_RAW_ID:
      return jm_stored_run_get_raw_id (run);
    case JM_QUANTITY_JOBID:
      return jm_run_derived_get_job_id (run);
    default:
      return NULL;
    }
}

/* The heading of a share has the sign of per cent already. */
char *
jm_run_column_format (const JmRunColumn *self, JmStoredRun *run)
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

  return jm_format_to_string (format, figure.value);
}

char *
jm_run_column_to_string (const JmRunColumn *self, JmStoredRun *run)
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
