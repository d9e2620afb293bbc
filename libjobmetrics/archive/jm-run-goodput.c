/* jm-run-goodput.c: productive, idle and lost time of runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-run-goodput-private.h"

#include "core/jm-figure-private.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"
#include "core/jm-run-record-private.h"
#include "core/jm-snapshot-private.h"

typedef enum
{
  FATE_PRODUCTIVE,
  FATE_IDLE,
  FATE_PROLOG_EPILOG,
  FATE_FAILURE,
  FATE_PREEMPTION,
  FATE_TIME_LIMIT,
  FATE_UNOBSERVED,
  N_FATES,
} Fate;

/* How much of its life on a node has to be observed, and how little may be missing. */
#define LIFE_MIN_PPM 990000
#define UNOBSERVED_MAX_SECONDS 60
#define MILLION 1e6
/* Longer times are not believed: the exporter may have begun late. */
#define PROLOG_EPILOG_MAX_SECONDS 3600

#define N_DEVICES 2
#define N_QUANTITIES (N_FATES + 1)

/* By device, the share behind the fates. */
const JmQuantityId jm_run_goodput_quantities[] = {
  JM_QUANTITY_CPU_PRODUCTIVE,         JM_QUANTITY_CPU_IDLE,
  JM_QUANTITY_CPU_PROLOG_EPILOG,      JM_QUANTITY_CPU_LOST_TO_FAILURE,
  JM_QUANTITY_CPU_LOST_TO_PREEMPTION, JM_QUANTITY_CPU_LOST_TO_TIME_LIMIT,
  JM_QUANTITY_CPU_UNOBSERVED,         JM_QUANTITY_CPU_GOODPUT,
  JM_QUANTITY_GPU_PRODUCTIVE,         JM_QUANTITY_GPU_IDLE,
  JM_QUANTITY_GPU_PROLOG_EPILOG,      JM_QUANTITY_GPU_LOST_TO_FAILURE,
  JM_QUANTITY_GPU_LOST_TO_PREEMPTION, JM_QUANTITY_GPU_LOST_TO_TIME_LIMIT,
  JM_QUANTITY_GPU_UNOBSERVED,         JM_QUANTITY_GPU_GOODPUT,
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

/* Of @given seconds @busy were used, and @outside is the share in prolog and epilog,
 * where these are known. */
static void
add_time (JmFigures *sums,
          guint device,
          Fate fate,
          double given,
          JmFigure busy,
          JmFigure outside)
{
  double parts[N_FATES] = { 0 };
  double rest = given;

  if (fate == FATE_PRODUCTIVE && outside.is_known)
    {
      parts[FATE_PROLOG_EPILOG] = given * CLAMP (outside.value, 0, 1);
      rest = given - parts[FATE_PROLOG_EPILOG];
    }
  if (fate != FATE_PRODUCTIVE)
    parts[fate] = given;
  else if (!busy.is_known)
    parts[FATE_UNOBSERVED] = rest;
  else
    {
      parts[FATE_PRODUCTIVE] = CLAMP (busy.value, 0, rest);
      parts[FATE_IDLE] = rest - parts[FATE_PRODUCTIVE];
    }

  for (guint i = 0; i < N_FATES; i++)
    if (i != FATE_PROLOG_EPILOG || outside.is_known)
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
  const JmFigure outside =
    jm_figures_divide (jm_run_derived_get_figure (run, JM_RUN_FIELD_PROLOG_EPILOG),
                       jm_figure_known (wall));
  JmFigure busy = unused;

  if (cpus.is_known)
    add_time (sums, 0, fate, cpus.value * wall * share,
              jm_figures_multiply (jm_run_derived_get_figure (run,
                                                              JM_RUN_FIELD_CPU_TOTAL),
                                   part),
              outside);
  busy.value = MAX (gpus.value * wall - unused.value, 0);
  if (gpus.is_known)
    add_time (sums, 1, fate, gpus.value * wall * share,
              jm_figures_multiply (busy, part), outside);
}

/* --- prolog and epilog --- */

/* Only a scheduler knows what an allocation began and ended with. */
static gboolean
is_of_scheduler (JmRun *run, JmRunField field)
{
  return jm_run_peek (run, field) > 0 &&
         jm_run_peek_source (run, field) == JM_RUN_SOURCE_ACCOUNTING;
}

/* Whether its first process is the scheduler's to start: a run of Slurm without a job
 * script, as salloc has it, may hold its nodes for long until its user starts one. */
static gboolean
has_own_start (JmRun *run)
{
  GPtrArray *steps = jm_run_get_parts (run, JM_RUN_PART_KIND_STEP);

  for (guint i = 0; i < steps->len; i++)
    {
      const char *name = jm_run_part_peek_text (steps->pdata[i], JM_QUANTITY_NAME);

      if (g_strcmp0 (name, "batch") == 0 || g_strcmp0 (name, "extern") == 0)
        return TRUE;
    }

  return steps->len == 0;
}

/* FALSE where the node did not watch all of it. */
static gboolean
find_life (JmRunPart *node, gint64 *begin, gint64 *end)
{
  const gint64 observed = jm_run_part_peek (node, JM_QUANTITY_LIFE_OBSERVED);
  double unobserved;

  *begin = jm_run_part_peek (node, JM_QUANTITY_START_TIME);
  *end = jm_run_part_peek (node, JM_QUANTITY_END_TIME);

  unobserved = (MILLION - (double) observed) / MILLION * (double) (*end - *begin);

  return observed >= LIFE_MIN_PPM && *begin > 0 && *end >= *begin &&
         unobserved <= UNOBSERVED_MAX_SECONDS;
}

/* The record of an exporter that began late may lack it: it begins when the run was
 * first seen. */
static gboolean
has_first_process (JmJobRecord *record)
{
  guint n_compared;

  return jm_snapshot_look_up_reading (jm_job_record_get_snapshot (record),
                                      JM_RECORD_SUBJECT, JM_METRIC_PROCESS_FIRST_START,
                                      NULL, &n_compared) != NULL;
}

static gboolean
has_first_processes (JmRun *run, guint n_nodes)
{
  g_autoptr (GPtrArray) records = jm_run_record_unpack_all (run);
  guint n = 0;

  for (guint i = 0; i < records->len; i++)
    if (has_first_process (records->pdata[i]))
      n++;

  return n == n_nodes;
}

gint64
jm_run_goodput_find_prolog_epilog (JmRun *run)
{
  GPtrArray *nodes = jm_run_get_parts (run, JM_RUN_PART_KIND_NODE);
  const gint64 start = jm_run_peek (run, JM_RUN_FIELD_START_TIME);
  const gint64 end = jm_run_peek (run, JM_RUN_FIELD_END_TIME);
  gint64 first = G_MAXINT64, last = 0;

  if (!is_of_scheduler (run, JM_RUN_FIELD_START_TIME) ||
      !is_of_scheduler (run, JM_RUN_FIELD_END_TIME) || !has_own_start (run) ||
      nodes->len == 0 || jm_run_peek (run, JM_RUN_FIELD_NODES) != (gint64) nodes->len)
    return -1;

  for (guint i = 0; i < nodes->len; i++)
    {
      gint64 node_first, node_last;

      if (!find_life (nodes->pdata[i], &node_first, &node_last))
        return -1;
      first = MIN (first, node_first);
      last = MAX (last, node_last);
    }

  /* by another clock, or of an exporter that came late */
  if (first >= end || last <= start || first - start > PROLOG_EPILOG_MAX_SECONDS ||
      end - last > PROLOG_EPILOG_MAX_SECONDS || !has_first_processes (run, nodes->len))
    return -1;

  return (MAX (first - start, 0) + MAX (end - last, 0)) * G_USEC_PER_SEC;
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
