/* jm-run-goodput.c: productive, idle and lost time of runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-run-goodput-private.h"

#include "core/jm-figure-private.h"
#include "core/jm-run-derived-private.h"

typedef enum
{
  FATE_PRODUCTIVE,
  FATE_IDLE,
  FATE_FAILURE,
  FATE_PREEMPTION,
  FATE_TIME_LIMIT,
  FATE_UNOBSERVED,
  N_FATES,
} Fate;

#define N_DEVICES 2
#define N_QUANTITIES (N_FATES + 1)

/* By device, the share behind the fates. */
const JmQuantityId jm_run_goodput_quantities[] = {
  JM_QUANTITY_CPU_PRODUCTIVE,
  JM_QUANTITY_CPU_IDLE,
  JM_QUANTITY_CPU_LOST_TO_FAILURE,
  JM_QUANTITY_CPU_LOST_TO_PREEMPTION,
  JM_QUANTITY_CPU_LOST_TO_TIME_LIMIT,
  JM_QUANTITY_CPU_UNOBSERVED,
  JM_QUANTITY_CPU_GOODPUT,
  JM_QUANTITY_GPU_PRODUCTIVE,
  JM_QUANTITY_GPU_IDLE,
  JM_QUANTITY_GPU_LOST_TO_FAILURE,
  JM_QUANTITY_GPU_LOST_TO_PREEMPTION,
  JM_QUANTITY_GPU_LOST_TO_TIME_LIMIT,
  JM_QUANTITY_GPU_UNOBSERVED,
  JM_QUANTITY_GPU_GOODPUT,
};
const guint jm_run_goodput_n_quantities = G_N_ELEMENTS (jm_run_goodput_quantities);

G_STATIC_ASSERT (G_N_ELEMENTS (jm_run_goodput_quantities) == N_DEVICES * N_QUANTITIES);

static JmQuantityId
get_quantity (guint device, guint place)
{
  return jm_run_goodput_quantities[device * N_QUANTITIES + place];
}

/* What the end of a run makes of its time; of others, such as COMPLETED, the use
 * decides. What only nodes know of has ended in a way that nobody knows. */
static Fate
find_fate (JmRun *run)
{
  static const struct
  {
    const char *state;
    Fate fate;
  } ends[] = {
    { "COMPLET", FATE_PRODUCTIVE },   { "RUNNING", FATE_PRODUCTIVE },
    { "CANCELLED", FATE_PRODUCTIVE }, { "SUSPENDED", FATE_PRODUCTIVE },
    { "FAILED", FATE_FAILURE },       { "OUT_OF_ME", FATE_FAILURE },
    { "NODE_FAIL", FATE_FAILURE },    { "BOOT_FAIL", FATE_FAILURE },
    { "SPECIAL_EXIT", FATE_FAILURE }, { "PREEMPTED", FATE_PREEMPTION },
    { "REQUEUE", FATE_PREEMPTION },   { "REVOKED", FATE_PREEMPTION },
    { "TIMEOUT", FATE_TIME_LIMIT },   { "DEADLINE", FATE_TIME_LIMIT },
  };
  const char *state = jm_run_peek_text (run, JM_RUN_FIELD_STATE);

  for (guint i = 0; state != NULL && i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_prefix (state, ends[i].state))
      return ends[i].fate;

  return FATE_UNOBSERVED;
}

static void
add (JmFigures *sums, JmQuantityId quantity, double value)
{
  jm_figures_set (sums, quantity,
                  jm_figure_add (jm_figures_get (sums, quantity),
                                 jm_figure_known (value)));
}

/* Of @given seconds @busy were used, where that is known. */
static void
add_time (JmFigures *sums, guint device, Fate fate, double given, JmFigure busy)
{
  double parts[N_FATES] = { 0 };

  if (fate != FATE_PRODUCTIVE)
    parts[fate] = given;
  else if (!busy.is_known)
    parts[FATE_UNOBSERVED] = given;
  else
    {
      parts[FATE_PRODUCTIVE] = CLAMP (busy.value, 0, given);
      parts[FATE_IDLE] = given - parts[FATE_PRODUCTIVE];
    }

  for (guint i = 0; i < N_FATES; i++)
    add (sums, get_quantity (device, i), parts[i]);
}

void
jm_run_goodput_add (JmFigures *sums, JmRun *run, double wall, double share)
{
  const Fate fate = find_fate (run);
  const JmFigure part = jm_figure_known (share);
  const JmFigure cpus = jm_run_derived_get_figure (run, JM_RUN_FIELD_CPUS);
  const JmFigure gpus = jm_run_derived_get_figure (run, JM_RUN_FIELD_GPUS_ALLOCATED);
  const JmFigure unused = jm_run_derived_get (run, JM_QUANTITY_GPU_UNUSED);
  JmFigure busy = unused;

  if (cpus.is_known)
    add_time (sums, 0, fate, cpus.value * wall * share,
              jm_figures_multiply (jm_run_derived_get_figure (run,
                                                              JM_RUN_FIELD_CPU_TOTAL),
                                   part));
  busy.value = MAX (gpus.value * wall - unused.value, 0);
  if (gpus.is_known)
    add_time (sums, 1, fate, gpus.value * wall * share,
              jm_figures_multiply (busy, part));
}

void
jm_run_goodput_settle (JmFigures *sums)
{
  for (guint device = 0; device < N_DEVICES; device++)
    {
      const JmFigure productive =
        jm_figures_get (sums, get_quantity (device, FATE_PRODUCTIVE));
      JmFigure given = { 0 };

      for (guint i = 0; i < N_FATES; i++)
        given = jm_figure_add (given, jm_figures_get (sums, get_quantity (device, i)));
      jm_figures_set (sums, get_quantity (device, N_FATES),
                      jm_figure_get_share (productive, given));
    }
}
