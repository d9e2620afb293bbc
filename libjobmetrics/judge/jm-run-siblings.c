/* jm-run-siblings.c: a run beside the earlier runs of the same job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <math.h>

#include "base/jm-robust-private.h"
#include "core/jm-run-derived-private.h"
#include "judge/jm-run-report-private.h"

#define MIN_SIBLINGS 5

/* --- which runs are like it --- */

static gboolean
has_same_text (JmRun *run, JmRun *other, JmRunField field)
{
  return g_strcmp0 (jm_run_peek_text (run, field), jm_run_peek_text (other, field)) ==
         0;
}

/* Both unknown, or both the same. */
static gboolean
has_same_number (JmRun *run, JmRun *other, JmRunField field)
{
  gint64 one = 0, another = 0;

  return jm_run_get_number (run, field, &one) ==
           jm_run_get_number (other, field, &another) &&
         one == another;
}

static gboolean
is_complete (JmRun *run)
{
  const char *state = jm_run_peek_text (run, JM_RUN_FIELD_STATE);

  return g_strcmp0 (state, "COMPLETED") == 0 || g_strcmp0 (state, "ENDED") == 0;
}

static gboolean
is_same (JmRun *run, JmRun *other)
{
  return g_str_equal (jm_run_get_raw_id (run), jm_run_get_raw_id (other)) &&
         has_same_number (run, other, JM_RUN_FIELD_START_TIME);
}

static gboolean
is_sibling (JmRun *run, JmRun *other)
{
  static const JmRunField texts[] = { JM_RUN_FIELD_USER, JM_RUN_FIELD_NAME };
  static const JmRunField numbers[] = { JM_RUN_FIELD_UID, JM_RUN_FIELD_NODES,
                                        JM_RUN_FIELD_CPUS,
                                        JM_RUN_FIELD_GPUS_ALLOCATED };

  if (g_strcmp0 (jm_run_get_cluster (run), jm_run_get_cluster (other)) != 0 ||
      !is_complete (other) || is_same (run, other))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (jm_run_peek_text (run, texts[i]) == NULL ||
        !has_same_text (run, other, texts[i]))
      return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!has_same_number (run, other, numbers[i]))
      return FALSE;

  return TRUE;
}

static GPtrArray *
list_siblings (JmRun *run, GPtrArray *runs)
{
  GPtrArray *siblings = g_ptr_array_new ();

  for (guint i = 0; i < runs->len; i++)
    if (is_sibling (run, runs->pdata[i]))
      g_ptr_array_add (siblings, runs->pdata[i]);

  return siblings;
}

/* --- the comparison --- */

typedef struct
{
  JmQuantityId quantity;
  JmQuantityId usual;
  JmQuantityId deviation;
} Comparison;

static const Comparison comparisons[] = {
  { JM_QUANTITY_ELAPSED, JM_QUANTITY_USUAL_ELAPSED, JM_QUANTITY_ELAPSED_DEVIATION },
  { JM_QUANTITY_CPU_EFFICIENCY, JM_QUANTITY_USUAL_CPU_EFFICIENCY,
    JM_QUANTITY_CPU_EFFICIENCY_DEVIATION },
  { JM_QUANTITY_ENERGY, JM_QUANTITY_USUAL_ENERGY, JM_QUANTITY_ENERGY_DEVIATION },
};

/* FALSE where too few of them have it. */
static gboolean
find_usual (GPtrArray *siblings, JmQuantityId quantity, JmRobust *robust)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < siblings->len; i++)
    {
      const JmFigure figure = jm_run_derived_get (siblings->pdata[i], quantity);

      if (figure.is_known)
        g_array_append_val (values, figure.value);
    }
  if (values->len < MIN_SIBLINGS)
    return FALSE;
  *robust = jm_robust_of ((const double *) (gpointer) values->data, values->len);

  return TRUE;
}

static void
compare (JmFigures *figures, const Comparison *comparison, GPtrArray *siblings)
{
  const JmFigure own = jm_figures_get (figures, comparison->quantity);
  JmRobust robust;

  if (!find_usual (siblings, comparison->quantity, &robust))
    return;

  jm_figures_set (figures, comparison->usual, jm_figure_known (robust.median));
  if (own.is_known && robust.deviation > 0)
    jm_figures_set (figures, comparison->deviation,
                    jm_figure_known (fabs (own.value - robust.median) /
                                     robust.deviation));
}

/* Nothing where the run was given as much as they were, or more. */
static void
compare_memory (JmFigures *figures, GPtrArray *siblings)
{
  const JmFigure own = jm_figures_get (figures, JM_QUANTITY_MEMORY_ALLOCATED);
  const JmFigure nodes = jm_figures_get (figures, JM_QUANTITY_NODES);
  JmRobust robust;
  JmFigure saved;

  if (!own.is_known || !find_usual (siblings, JM_QUANTITY_MEMORY_ALLOCATED, &robust) ||
      robust.median <= own.value)
    return;

  saved = jm_figures_multiply (jm_figure_known (robust.median - own.value), nodes);
  jm_figures_set (figures, JM_QUANTITY_USUAL_MEMORY_ALLOCATED,
                  jm_figure_known (robust.median));
  jm_figures_set (figures, JM_QUANTITY_MEMORY_SAVED,
                  jm_figures_multiply (saved,
                                       jm_figures_get (figures, JM_QUANTITY_ELAPSED)));
}

void
jm_run_report_set_siblings (JmRunReport *self, GPtrArray *runs)
{
  g_autoptr (GPtrArray) siblings = list_siblings (self->run, runs);

  if (siblings->len < MIN_SIBLINGS)
    return;

  jm_figures_set (self->figures, JM_QUANTITY_SIBLINGS, jm_figure_known (siblings->len));
  for (guint i = 0; i < G_N_ELEMENTS (comparisons); i++)
    compare (self->figures, &comparisons[i], siblings);
  compare_memory (self->figures, siblings);
  jm_figures_derive_run (self->figures);
}
