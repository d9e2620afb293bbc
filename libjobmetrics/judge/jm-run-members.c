/* jm-run-members.c: runs that belong together, such as the tasks of an array
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-robust-private.h"
#include "core/jm-run-field-private.h"
#include "judge/jm-run-report-private.h"

/* One of at least so many members lags if it took so many times the median. */
#define LEAST_MEMBERS 5
#define LAG_RATIO 2

const JmQuantityId jm_run_members_spread[] = {
  JM_QUANTITY_CPU_EFFICIENCY,
  JM_QUANTITY_MEMORY_SHARE,
  JM_QUANTITY_GPU_UTILIZATION_SHARE,
  JM_QUANTITY_TIME_SHARE,
  JM_QUANTITY_ELAPSED,
};
const guint jm_run_members_n_spread = G_N_ELEMENTS (jm_run_members_spread);

static JmRun *
get_run (gconstpointer run)
{
  return (JmRun *) run;
}

static JmFigure
get_figure (gconstpointer run, JmQuantityId quantity)
{
  return jm_run_get_figure ((JmRun *) run, jm_quantity_get (quantity)->name);
}

JmRunMembers
jm_run_members_of_runs (GPtrArray *runs)
{
  return (JmRunMembers){ runs, get_run, get_figure };
}

static GArray *
list_known (const JmRunMembers *self, JmQuantityId quantity)
{
  GArray *known = g_array_new (FALSE, FALSE, sizeof (JmFigure));

  for (guint i = 0; i < self->list->len; i++)
    {
      const JmFigure figure = self->get_figure (self->list->pdata[i], quantity);

      if (figure.is_known)
        g_array_append_val (known, figure);
    }

  return known;
}

static int
compare_figures (gconstpointer a, gconstpointer b)
{
  return jm_figure_compare (*(const JmFigure *) a, *(const JmFigure *) b, FALSE);
}

gboolean
jm_run_members_find_spread (GArray *known, JmFigure figures[3])
{
  if (known->len == 0)
    return FALSE;

  g_array_sort (known, compare_figures);
  figures[0] = g_array_index (known, JmFigure, 0);
  figures[1] = g_array_index (known, JmFigure, (known->len - 1) / 2);
  figures[2] = g_array_index (known, JmFigure, known->len - 1);

  return TRUE;
}

gboolean
jm_run_members_get_spread (const JmRunMembers *self,
                           JmQuantityId quantity,
                           JmFigure figures[3],
                           guint *n_known)
{
  g_autoptr (GArray) known = list_known (self, quantity);

  *n_known = known->len;

  return jm_run_members_find_spread (known, figures);
}

static gboolean
has_failed (JmRun *run)
{
  static const char *const states[] = { "FAILED",    "OUT_OF_ME", "TIMEOUT",
                                        "NODE_FAIL", "BOOT_FAIL", "DEADLINE" };
  const char *state = jm_run_peek_text (run, JM_RUN_FIELD_STATE);

  for (guint i = 0; state != NULL && i < G_N_ELEMENTS (states); i++)
    if (g_str_has_prefix (state, states[i]))
      return TRUE;

  return FALSE;
}

GPtrArray *
jm_run_members_list_failed (const JmRunMembers *self)
{
  GPtrArray *failed = g_ptr_array_new ();

  for (guint i = 0; i < self->list->len; i++)
    if (has_failed (self->get_run (self->list->pdata[i])))
      g_ptr_array_add (failed, self->list->pdata[i]);

  return failed;
}

static gboolean
find_usual (const JmRunMembers *self, JmRobust *usual)
{
  g_autoptr (GArray) known = list_known (self, JM_QUANTITY_ELAPSED);
  g_autofree double *times = g_new (double, known->len);

  if (known->len < LEAST_MEMBERS)
    return FALSE;

  for (guint i = 0; i < known->len; i++)
    times[i] = g_array_index (known, JmFigure, i).value;
  *usual = jm_robust_of (times, known->len);

  return TRUE;
}

GPtrArray *
jm_run_members_list_stragglers (const JmRunMembers *self, JmFigure *usual)
{
  GPtrArray *stragglers = g_ptr_array_new ();
  JmRobust robust;

  *usual = (JmFigure){ 0 };
  if (!find_usual (self, &robust))
    return stragglers;

  *usual = jm_figure_known (robust.median);
  for (guint i = 0; i < self->list->len; i++)
    {
      const double time =
        self->get_figure (self->list->pdata[i], JM_QUANTITY_ELAPSED).value;

      if (time >= LAG_RATIO * robust.median &&
          time - robust.median > JM_ROBUST_UNUSUAL * robust.deviation)
        g_ptr_array_add (stragglers, self->list->pdata[i]);
    }

  return stragglers;
}
