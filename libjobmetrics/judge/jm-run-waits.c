/* jm-run-waits.c: a waiting run beside earlier ones that waited for the like
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <math.h>

#include "core/jm-run-derived-private.h"
#include "judge/jm-run-report-private.h"

/* With fewer runs nothing is expected. */
#define MIN_RUNS 10
/* With fewer that waited longer still, nothing more is expected. */
#define MIN_LONGER 5
/* A queue changes: the last to begin count. */
#define MAX_RUNS 100
#define MAX_TRIALS 200
/* Runs of one size and limit ask for at most so many times as much as each other. */
#define FACTOR 2
#define DAY_SECONDS 86400
#define LIKE_SECONDS 5400
#define USUAL_SHARE 0.5
#define LONG_SHARE 0.8

typedef struct
{
  double ready; /* when it could have begun, or was submitted, seconds since 1970 */
  double began;
  double expected; /* by its scheduler, when that was asked first; NAN where unknown */
  double cpus;
  double limit;
  gboolean has_gpus;
} Wait;

/* --- runs --- */

static double
get (JmRun *run, JmRunField field)
{
  const JmFigure figure = jm_run_derived_get_figure (run, field);

  return figure.is_known && figure.value > 0 ? figure.value : NAN;
}

static gboolean
has_gpus (JmRun *run)
{
  return get (run, JM_RUN_FIELD_GPUS_REQUESTED) > 0 ||
         get (run, JM_RUN_FIELD_GPUS_ALLOCATED) > 0;
}

static Wait
make_wait (JmRun *run)
{
  return (Wait){
    .ready =
      fmax (get (run, JM_RUN_FIELD_SUBMIT_TIME), get (run, JM_RUN_FIELD_ELIGIBLE_TIME)),
    .began = get (run, JM_RUN_FIELD_START_TIME),
    .expected = get (run, JM_RUN_FIELD_SCHEDULER_START_TIME),
    .cpus = get (run, JM_RUN_FIELD_CPUS),
    .limit = get (run, JM_RUN_FIELD_TIME_LIMIT),
    .has_gpus = has_gpus (run),
  };
}

/* The last to begin first. */
static int
compare_waits (gconstpointer a, gconstpointer b)
{
  const Wait *one = a;
  const Wait *other = b;

  return (one->began < other->began) - (one->began > other->began);
}

/* Those of the cluster that waited and began. */
static GArray *
list_waits (JmRun *run, GPtrArray *runs)
{
  GArray *waits = g_array_new (FALSE, FALSE, sizeof (Wait));

  for (guint i = 0; i < runs->len; i++)
    {
      const Wait wait = make_wait (runs->pdata[i]);

      if (wait.began >= wait.ready &&
          g_strcmp0 (jm_run_get_cluster (run), jm_run_get_cluster (runs->pdata[i])) ==
            0)
        g_array_append_val (waits, wait);
    }
  g_array_sort (waits, compare_waits);

  return waits;
}

/* --- which are like it --- */

/* Both unknown, or neither much more than the other. */
static gboolean
is_near (double one, double other)
{
  if (isnan (one) || isnan (other))
    return isnan (one) && isnan (other);

  return one <= FACTOR * other && other <= FACTOR * one;
}

/* The lower the level the more they have in common. */
typedef enum
{
  LEVEL_HOUR, /* of the day, and size and limit */
  LEVEL_SIZE_AND_LIMIT,
  LEVEL_SIZE,
  LEVEL_GPUS,
  LEVEL_PARTITION,
  N_LEVELS,
} Level;

/* Were they ready at about the same time of the day? */
static gboolean
is_at_like_hour (const Wait *wait, const Wait *other)
{
  const double rest = fmod (fabs (wait->ready - other->ready), DAY_SECONDS);

  return fmin (rest, DAY_SECONDS - rest) <= LIKE_SECONDS;
}

static gboolean
is_like (const Wait *wait, const Wait *other, Level level)
{
  if (level < LEVEL_PARTITION && wait->has_gpus != other->has_gpus)
    return FALSE;
  if (level < LEVEL_GPUS && !is_near (wait->cpus, other->cpus))
    return FALSE;
  if (level < LEVEL_SIZE && !is_near (wait->limit, other->limit))
    return FALSE;

  return level > LEVEL_HOUR || is_at_like_hour (wait, other);
}

static int
compare_values (gconstpointer a, gconstpointer b)
{
  const double one = *(const double *) a;
  const double other = *(const double *) b;

  return (one > other) - (one < other);
}

/* How long those waited that are like @wait, in seconds, the shortest first: those that
 * began before @time, and have most in common with it. Empty where there are too
 * few. */
static void
list_like (GArray *waits, const Wait *wait, double time, GArray *seconds)
{
  for (Level level = 0; level < N_LEVELS; level++)
    {
      g_array_set_size (seconds, 0);
      for (guint i = 0; i < waits->len && seconds->len < MAX_RUNS; i++)
        {
          const Wait *other = &g_array_index (waits, Wait, i);
          const double length = other->began - other->ready;

          if (other->began < time && is_like (wait, other, level))
            g_array_append_val (seconds, length);
        }
      if (seconds->len >= MIN_RUNS)
        break;
    }
  if (seconds->len < MIN_RUNS)
    g_array_set_size (seconds, 0);
  g_array_sort (seconds, compare_values);
}

/* The least that this share of them does not exceed; @sorted is not empty. */
static double
get_quantile (GArray *sorted, double share)
{
  const guint rank = (guint) ceil (share * sorted->len);

  return g_array_index (sorted, double, MAX (rank, 1) - 1);
}

/* --- how good such estimates were --- */

/* Of each of the last runs, by those that had begun when it was ready. */
static void
list_errors (GArray *waits, GArray *errors)
{
  g_autoptr (GArray) seconds = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < waits->len && errors->len < MAX_TRIALS; i++)
    {
      const Wait *wait = &g_array_index (waits, Wait, i);
      double error;

      list_like (waits, wait, wait->ready, seconds);
      if (seconds->len == 0)
        continue;
      error = fabs (wait->began - wait->ready - get_quantile (seconds, USUAL_SHARE));
      g_array_append_val (errors, error);
    }
}

static void
list_scheduler_errors (GArray *waits, GArray *errors)
{
  for (guint i = 0; i < waits->len && errors->len < MAX_TRIALS; i++)
    {
      const Wait *wait = &g_array_index (waits, Wait, i);
      const double error = fabs (wait->began - wait->expected);

      if (!isnan (error))
        g_array_append_val (errors, error);
    }
}

static void
set_error (JmFigures *figures,
           JmQuantityId quantity,
           GArray *waits,
           void (*list) (GArray *waits, GArray *errors))
{
  g_autoptr (GArray) errors = g_array_new (FALSE, FALSE, sizeof (double));

  list (waits, errors);
  if (errors->len < MIN_RUNS)
    return;
  g_array_sort (errors, compare_values);
  jm_figures_set (figures, quantity,
                  jm_figure_known (get_quantile (errors, USUAL_SHARE)));
}

/* --- the estimate --- */

/* When half of those begin that have waited longer than the run so far. */
static void
set_expected (JmFigures *figures, const Wait *wait, GArray *seconds)
{
  const double waited = (double) g_get_real_time () / G_USEC_PER_SEC - wait->ready;
  guint first = 0;

  while (first < seconds->len && g_array_index (seconds, double, first) <= waited)
    first++;
  if (seconds->len - first < MIN_LONGER)
    return;

  jm_figures_set (figures, JM_QUANTITY_EXPECTED_START_TIME,
                  jm_figure_known (wait->ready +
                                   g_array_index (seconds, double,
                                                  first + (seconds->len - first) / 2)));
}

/* @seconds is as list_like() leaves it. */
static void
set_figures (JmFigures *figures,
             JmRun *run,
             const Wait *wait,
             GPtrArray *runs,
             GArray *seconds)
{
  const double now = (double) g_get_real_time () / G_USEC_PER_SEC;
  g_autoptr (GArray) waits = list_waits (run, runs);

  if (isnan (wait->ready))
    return;
  list_like (waits, wait, now, seconds);
  if (seconds->len == 0)
    return;

  jm_figures_set (figures, JM_QUANTITY_COMPARED_WAITS, jm_figure_known (seconds->len));
  jm_figures_set (figures, JM_QUANTITY_USUAL_WAIT,
                  jm_figure_known (get_quantile (seconds, USUAL_SHARE)));
  jm_figures_set (figures, JM_QUANTITY_LONG_WAIT,
                  jm_figure_known (get_quantile (seconds, LONG_SHARE)));
  set_error (figures, JM_QUANTITY_WAIT_ERROR, waits, list_errors);
  set_error (figures, JM_QUANTITY_SCHEDULER_START_ERROR, waits, list_scheduler_errors);
}

void
jm_run_report_set_waits (JmRunReport *self, GPtrArray *runs)
{
  const Wait wait = make_wait (self->run);
  g_autoptr (GArray) seconds = g_array_new (FALSE, FALSE, sizeof (double));

  set_figures (self->figures, self->run, &wait, runs, seconds);
  set_expected (self->figures, &wait, seconds);
}

void
jm_run_waits_expect (JmFigures *figures, JmRun *run, double limit, GPtrArray *runs)
{
  Wait wait = make_wait (run);
  g_autoptr (GArray) seconds = g_array_new (FALSE, FALSE, sizeof (double));
  JmFigure usual;

  wait.ready = (double) g_get_real_time () / G_USEC_PER_SEC;
  wait.limit = limit > 0 ? limit : wait.limit;
  set_figures (figures, run, &wait, runs, seconds);
  usual = jm_figures_get (figures, JM_QUANTITY_USUAL_WAIT);
  usual.value = floor (usual.value + wait.ready);
  jm_figures_set (figures, JM_QUANTITY_EXPECTED_START_TIME, usual);
}

/* --- in words --- */

static char *
format_length (const JmFigures *figures, JmQuantityId quantity)
{
  return jm_figure_format (jm_figures_get (figures, quantity), JM_FORMAT_DURATION);
}

void
jm_run_waits_append (GString *text,
                     const JmFigures *figures,
                     const char *first,
                     const char *left)
{
  const JmFigure n = jm_figures_get (figures, JM_QUANTITY_COMPARED_WAITS);
  g_autofree char *usual = format_length (figures, JM_QUANTITY_USUAL_WAIT);
  g_autofree char *most = format_length (figures, JM_QUANTITY_LONG_WAIT);
  g_autofree char *error = format_length (figures, JM_QUANTITY_WAIT_ERROR);
  g_autofree char *of_scheduler =
    format_length (figures, JM_QUANTITY_SCHEDULER_START_ERROR);

  if (!n.is_known)
    return;
  g_string_append_printf (text,
                          "%s the last %.0f similar runs, half began within %s of "
                          "being ready and four of five within %s.",
                          first, n.value, usual, most);
  if (left != NULL)
    g_string_append_printf (text,
                            " By what those took that waited longer than it has so "
                            "far, it begins in about %s.",
                            left);
  if (error != NULL)
    g_string_append_printf (text,
                            " Half of such estimates were off by %s or less%s%s%s",
                            error,
                            of_scheduler != NULL ? ", half of the scheduler's by " : "",
                            of_scheduler != NULL ? of_scheduler : "",
                            of_scheduler != NULL ? " or less." : ".");
}
