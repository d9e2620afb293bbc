/* jm-run-derived.c: what follows from what a site keeps of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/jm-run-derived-private.h"

#include "report/jm-derived.h"
#include "report/jm-run-document-private.h"

JmFigure
jm_run_derived_get_figure (JmStoredRun *run, JmRunField field)
{
  char name[JM_RUN_DOCUMENT_NAME_SIZE];
  guint n_decimals = jm_run_document_make_name (jm_run_field_get_name (field), name);
  gint64 number;

  if (jm_run_field_is_text (field) || !jm_stored_run_get_number (run, field, &number))
    return (JmFigure){ 0 };

  return jm_figure_known ((double) number / (n_decimals > 0 ? 1e6 : 1));
}

JmFigure
jm_run_derived_get_elapsed (JmStoredRun *run)
{
  JmFigure elapsed = jm_run_derived_get_figure (run, JM_RUN_FIELD_ELAPSED);
  JmFigure start = jm_run_derived_get_figure (run, JM_RUN_FIELD_START_TIME);
  JmFigure end = jm_run_derived_get_figure (run, JM_RUN_FIELD_END_TIME);

  if (elapsed.is_known || !start.is_known || !end.is_known || end.value < start.value)
    return elapsed;

  return jm_figure_known (end.value - start.value);
}

JmFigure
jm_run_derived_get_efficiency (JmStoredRun *run)
{
  return jm_derived_compute_efficiency (
    jm_run_derived_get_figure (run, JM_RUN_FIELD_CPU_TOTAL),
    jm_run_derived_get_figure (run, JM_RUN_FIELD_CPUS),
    jm_run_derived_get_elapsed (run));
}

JmFigure
jm_run_derived_get_memory_share (JmStoredRun *run)
{
  JmFigure peak = jm_run_derived_get_figure (run, JM_RUN_FIELD_MEMORY_PEAK);
  JmFigure given = jm_run_derived_get_figure (run, JM_RUN_FIELD_MEMORY_ALLOCATED);
  JmFigure nodes = jm_run_derived_get_figure (run, JM_RUN_FIELD_NODES);

  if (!nodes.is_known || nodes.value < 1)
    return (JmFigure){ 0 };

  given.value /= nodes.value;

  return jm_figure_get_share (peak, given);
}

JmFigure
jm_run_derived_get_wait (JmStoredRun *run)
{
  JmFigure submit = jm_run_derived_get_figure (run, JM_RUN_FIELD_SUBMIT_TIME);
  JmFigure start = jm_run_derived_get_figure (run, JM_RUN_FIELD_START_TIME);

  if (!submit.is_known || !start.is_known || start.value < submit.value)
    return (JmFigure){ 0 };

  return jm_figure_known (start.value - submit.value);
}
