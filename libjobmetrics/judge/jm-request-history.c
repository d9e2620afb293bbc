/* jm-request-history.c: what past runs asked for and used of one resource
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-request-history-private.h"

#include <math.h>

#include "core/jm-figures-private.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-run-private.h"
#include "judge/jm-run-hint-private.h"

/* A change of a job shows in its last runs first. */
#define RECENT_RUNS 20
/* Of the policies that people follow without statistics. */
#define LAST_MARGIN 1.2
#define MOST_RUNS 10
/* Of CPUs, for a busy one reads as a hair more than one. */
#define BUSY_TOLERANCE 0.1
/* CPUs are suggested where most runs used less of theirs. */
#define LOW_USE 0.5
#define HOUR_SECONDS 3600.0
#define MIB 1048576.0
#define GIB (1024 * MIB)
/* Of requests that are rounded up to 100 MiB. */
#define SMALL_MEMORY (2 * GIB)
/* Of products of fractions. */
#define TOLERANCE 1e-9

/* Entry:
 * @need: what the run used, or at least needed
 * @is_least: the run ended early and may have needed more
 * @was_killed: it ended because it reached what it had asked for
 * @hours: for how long, times the nodes of a request for each node; 0 where unknown
 * @start: when it began, seconds since 1970
 * @end: when it ended */
typedef struct
{
  double need;
  gboolean is_least;
  gboolean was_killed;
  JmFigure asked;
  double hours;
  gint64 start;
  gint64 end;
} Entry;

static const JmFigure absent = { 0, FALSE, FALSE };

static const Entry *
get_entry (const JmRequestHistory *self, guint number)
{
  return &g_array_index (self->entries, Entry, number);
}

/* --- runs --- */

static JmFigure
get_number (JmRun *run, JmRunField field)
{
  return jm_run_derived_get_figure (run, field);
}

/* Nobody asks for none. */
static JmFigure
get_filled (JmFigure figure)
{
  return figure.is_known && figure.value > 0 ? figure : absent;
}

static JmFigure
get_asked_or_given (JmRun *run, JmRunField asked, JmRunField given)
{
  const JmFigure figure = get_filled (get_number (run, asked));

  return figure.is_known ? figure : get_filled (get_number (run, given));
}

/* A request for the whole memory of a node is one of 0: what was given counts. */
static JmFigure
get_memory_asked (JmRun *run)
{
  return get_filled (
    jm_figures_divide (get_asked_or_given (run, JM_RUN_FIELD_MEMORY_ALLOCATED,
                                           JM_RUN_FIELD_MEMORY_REQUESTED),
                       get_filled (get_number (run, JM_RUN_FIELD_NODES))));
}

JmFigure
jm_request_get_asked (JmRequestKind kind, JmRun *run)
{
  switch (kind)
    {
    case JM_REQUEST_KIND_MEMORY:
      return get_memory_asked (run);
    case JM_REQUEST_KIND_TIME_LIMIT:
      return get_filled (get_number (run, JM_RUN_FIELD_TIME_LIMIT));
    case JM_REQUEST_KIND_CPUS:
      return get_filled (get_number (run, JM_RUN_FIELD_CPUS));
    case JM_REQUEST_KIND_GPUS:
    default:
      return get_asked_or_given (run, JM_RUN_FIELD_GPUS_REQUESTED,
                                 JM_RUN_FIELD_GPUS_ALLOCATED);
    }
}

/* The archive keeps the use of accelerators by device, and a run has none. */
static JmFigure
get_need (JmRequestKind kind, JmRun *run, JmFigure elapsed)
{
  switch (kind)
    {
    case JM_REQUEST_KIND_MEMORY:
      return get_filled (get_number (run, JM_RUN_FIELD_MEMORY_PEAK));
    case JM_REQUEST_KIND_TIME_LIMIT:
      return elapsed;
    case JM_REQUEST_KIND_CPUS:
      return jm_figures_divide (get_number (run, JM_RUN_FIELD_CPU_TOTAL),
                                get_filled (elapsed));
    case JM_REQUEST_KIND_GPUS:
    default:
      return absent;
    }
}

/* Whether a run that does not state how it ended, or not in these words, came to the
 * end of its work. */
static gboolean
is_complete (const char *state)
{
  return state == NULL || g_str_has_prefix (state, "COMPLETED") ||
         g_str_equal (state, "ENDED");
}

static gboolean
is_killed (JmRequestKind kind, const char *state)
{
  const char *const word =
    kind == JM_REQUEST_KIND_MEMORY ? "OUT_OF_ME" : "TIMEOUT"; /* sacct cuts words */

  return kind <= JM_REQUEST_KIND_TIME_LIMIT && state != NULL &&
         g_str_has_prefix (state, word);
}

/* What ended early did not work with all of its CPUs at its best. */
static gboolean
has_use (JmRequestKind kind, const char *state)
{
  return kind != JM_REQUEST_KIND_CPUS || is_complete (state) ||
         g_str_has_prefix (state, "TIMEOUT");
}

static double
get_hours (JmRequestKind kind, JmRun *run, JmFigure elapsed)
{
  const JmFigure nodes = get_number (run, JM_RUN_FIELD_NODES);

  if (kind == JM_REQUEST_KIND_TIME_LIMIT)
    return 1 / HOUR_SECONDS;
  if (!elapsed.is_known || (kind == JM_REQUEST_KIND_MEMORY && !nodes.is_known))
    return 0;

  return elapsed.value / HOUR_SECONDS *
         (kind == JM_REQUEST_KIND_MEMORY ? nodes.value : 1);
}

static void
add_run (JmRequestHistory *self, JmRun *run)
{
  const char *state = jm_run_peek_text (run, JM_RUN_FIELD_STATE);
  const gint64 start = jm_run_peek (run, JM_RUN_FIELD_START_TIME);
  const JmFigure elapsed = jm_run_derived_get (run, JM_QUANTITY_ELAPSED);
  JmFigure need = get_need (self->kind, run, elapsed);
  Entry entry = {
    .is_least = !is_complete (state),
    .was_killed = is_killed (self->kind, state),
    .asked = jm_request_get_asked (self->kind, run),
    .hours = get_hours (self->kind, run, elapsed),
    .start = start,
    .end = jm_run_peek (run, JM_RUN_FIELD_END_TIME),
  };

  /* it had all of what it had asked for, whatever was measured of it */
  if (entry.was_killed && entry.asked.is_known && !(need.value > entry.asked.value))
    need = entry.asked;
  if (!need.is_known || !has_use (self->kind, state))
    return;
  entry.need = need.value;
  g_array_append_val (self->entries, entry);
}

static int
compare_ends (gconstpointer a, gconstpointer b)
{
  const gint64 one = ((const Entry *) a)->end;
  const gint64 other = ((const Entry *) b)->end;

  return (one < other) - (one > other);
}

static int
compare_needs (gconstpointer a, gconstpointer b, gpointer history)
{
  const Entry *one = get_entry (history, *(const guint *) a);
  const Entry *other = get_entry (history, *(const guint *) b);

  if (one->need != other->need)
    return one->need < other->need ? -1 : 1;

  return one->is_least - other->is_least;
}

void
jm_request_history_init (JmRequestHistory *self,
                         JmRequestKind kind,
                         GPtrArray *runs,
                         double confidence)
{
  self->kind = kind;
  self->confidence = confidence;
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->by_need = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < runs->len; i++)
    add_run (self, runs->pdata[i]);
  g_array_sort (self->entries, compare_ends);
  for (guint i = 0; i < self->entries->len; i++)
    g_array_append_val (self->by_need, i);
  g_array_sort_with_data (self->by_need, compare_needs, self);
}

void
jm_request_history_clear (JmRequestHistory *self)
{
  g_clear_pointer (&self->entries, g_array_unref);
  g_clear_pointer (&self->by_need, g_array_unref);
}

/* --- statistics --- */

/* Estimate:
 * @value: what sufficed for a share of the runs; the most that is known where it is not
 *   known what would have
 * @is_open: that is the case
 * @was_killed: of these runs the one with the most was killed for it */
typedef struct
{
  double value;
  gboolean is_open;
  gboolean was_killed;
} Estimate;

/* The quantile by Kaplan and Meier, of @n runs from number @first on: a run that ended
 * early counts as one that needs more than it had, and thus never lowers it. */
static Estimate
estimate (const JmRequestHistory *self, guint first, guint n, double share)
{
  Estimate last = { .is_open = TRUE };
  double rest = 1;
  guint n_left = n;

  for (guint i = 0; i < self->by_need->len; i++)
    {
      const guint number = g_array_index (self->by_need, guint, i);
      const Entry *entry = get_entry (self, number);

      if (number < first || number - first >= n)
        continue;
      last.value = entry->need;
      last.was_killed = entry->was_killed;
      if (!entry->is_least)
        rest *= (double) (n_left - 1) / n_left;
      if (rest <= 1 - share + TOLERANCE)
        return (Estimate){ .value = entry->need };
      n_left--;
    }

  return last;
}

static Estimate
estimate_recent (const JmRequestHistory *self, guint first, double share)
{
  return estimate (self, first, MIN (self->entries->len - first, RECENT_RUNS), share);
}

/* Of all that are known, whether they ended early or not. */
JmFigure
jm_request_history_get_median (const JmRequestHistory *self)
{
  const guint n = self->by_need->len;

  if (n == 0)
    return absent;

  return jm_figure_known (
    get_entry (self, g_array_index (self->by_need, guint, (n - 1) / 2))->need);
}

JmFigure
jm_request_history_get_most (const JmRequestHistory *self)
{
  const guint n = self->by_need->len;

  return n > 0 ? jm_figure_known (
                   get_entry (self, g_array_index (self->by_need, guint, n - 1))->need)
               : absent;
}

/* --- policies --- */

static double
round_up (double value, double step)
{
  return ceil (MAX (value, 1) / step) * step;
}

/* To what people write. */
static double
round_request (JmRequestKind kind, double value)
{
  switch (kind)
    {
    case JM_REQUEST_KIND_MEMORY:
      return round_up (value, value < SMALL_MEMORY ? 100 * MIB : GIB);
    case JM_REQUEST_KIND_TIME_LIMIT:
      return round_up (value, value <= HOUR_SECONDS ? 300 : 900);
    case JM_REQUEST_KIND_CPUS:
    case JM_REQUEST_KIND_GPUS:
    default:
      return MAX (ceil (value - BUSY_TOLERANCE), 1);
    }
}

/* What was killed at a limit needs more than the usual margin. */
static double
get_margin (JmRequestKind kind, const Estimate *estimate)
{
  if (estimate->is_open && estimate->was_killed)
    return JM_RUN_HINT_MORE;

  return kind == JM_REQUEST_KIND_MEMORY ? JM_RUN_HINT_MEMORY_MARGIN
                                        : JM_RUN_HINT_TIME_MARGIN;
}

static JmFigure
get_last_asked (const JmRequestHistory *self, guint first)
{
  for (guint i = first; i < self->entries->len; i++)
    if (get_entry (self, i)->asked.is_known)
      return get_entry (self, i)->asked;

  return absent;
}

/* Of limits: what reaches them is killed. Whoever asks for what has sufficed so far
 * need not ask for more, only to have a margin; and not for less where it is not known
 * what would suffice. */
static JmFigure
suggest_limit (const JmRequestHistory *self, guint first, gboolean *is_at_least)
{
  const Estimate all =
    estimate (self, first, self->entries->len - first, self->confidence);
  const Estimate recent = estimate_recent (self, first, self->confidence);
  const double by_all = all.value * get_margin (self->kind, &all);
  const double by_recent = recent.value * get_margin (self->kind, &recent);
  const Estimate *chosen = by_recent > by_all ? &recent : &all;
  const JmFigure asked = get_last_asked (self, first);
  const double value = round_request (self->kind, MAX (by_all, by_recent));

  *is_at_least = chosen->is_open;
  if (asked.is_known &&
      (asked.value < value
         ? chosen->value <= asked.value && !(chosen->is_open && chosen->was_killed)
         : chosen->is_open))
    return asked;

  return jm_figure_known (value);
}

static gboolean
uses_few_cpus (const JmRequestHistory *self, guint first)
{
  guint n_known = 0;
  guint n_few = 0;

  for (guint i = first; i < self->entries->len; i++)
    {
      const Entry *entry = get_entry (self, i);

      n_known += entry->asked.is_known;
      n_few += entry->asked.is_known && entry->need < LOW_USE * entry->asked.value;
    }

  return n_known >= JM_RUN_SUGGESTION_MIN_RUNS && n_few > n_known / 2;
}

/* CPUs limit nothing but the pace, and no margin is needed. */
static JmFigure
suggest_cpus (const JmRequestHistory *self, guint first)
{
  const JmFigure asked = get_last_asked (self, first);
  double value;

  if (!uses_few_cpus (self, first))
    return absent;

  value = round_request (self->kind,
                         MAX (estimate (self, first, self->entries->len - first,
                                        self->confidence)
                                .value,
                              estimate_recent (self, first, self->confidence).value));

  return value < asked.value ? jm_figure_known (value) : absent;
}

/* By the runs from number @first on. */
static JmFigure
suggest (const JmRequestHistory *self, guint first, gboolean *is_at_least)
{
  *is_at_least = FALSE;
  if (self->entries->len - first < JM_RUN_SUGGESTION_MIN_RUNS)
    return absent;

  return self->kind == JM_REQUEST_KIND_CPUS ? suggest_cpus (self, first)
                                            : suggest_limit (self, first, is_at_least);
}

JmFigure
jm_request_history_suggest (const JmRequestHistory *self, gboolean *is_at_least)
{
  return suggest (self, 0, is_at_least);
}

static double
get_most (const JmRequestHistory *self, guint first)
{
  double most = 0;

  for (guint i = first; i < self->entries->len && i < first + MOST_RUNS; i++)
    most = MAX (most, get_entry (self, i)->need);

  return most;
}

/* What @policy has a run ask for that knows those from number @first on. */
static JmFigure
choose (const JmRequestHistory *self,
        JmRequestPolicy policy,
        const Entry *entry,
        guint first)
{
  gboolean is_at_least;
  JmFigure figure;

  switch (policy)
    {
    case JM_REQUEST_POLICY_SUGGESTION:
      figure = suggest (self, first, &is_at_least);
      return figure.is_known ? figure : entry->asked;
    case JM_REQUEST_POLICY_LAST:
      return jm_figure_known (
        round_request (self->kind, get_entry (self, first)->need * LAST_MARGIN));
    case JM_REQUEST_POLICY_MOST:
      return jm_figure_known (round_request (self->kind, get_most (self, first)));
    case JM_REQUEST_POLICY_KEEP:
    default:
      return entry->asked;
    }
}

/* --- trials --- */

/* A run that fails has reserved what it asked for in vain, and runs again with what it
 * did ask for. One with fewer CPUs than it kept busy runs longer instead. */
static double
get_saved (const JmRequestHistory *self,
           const Entry *entry,
           double value,
           gboolean failed)
{
  if (self->kind == JM_REQUEST_KIND_CPUS)
    return entry->asked.value - MAX (value, MIN (entry->need, entry->asked.value));

  return failed ? -value : entry->asked.value - value;
}

/* Adds to @reserved what the run did reserve. Nobody knows whether more would have sufficed for a run that was killed. */
static void
judge (const JmRequestHistory *self,
       const Entry *entry,
       JmRequestPolicy policy,
       double value,
       JmRequestTrial *trial,
       double *reserved)
{
  const gboolean is_same = entry->asked.is_known && value == entry->asked.value;
  const double tolerance = self->kind == JM_REQUEST_KIND_CPUS ? BUSY_TOLERANCE : 0;
  const gboolean failed = entry->was_killed
                            ? value <= entry->need
                            : value < entry->need - tolerance && !is_same;

  if (entry->was_killed && !failed)
    return;
  trial->n_judged++;
  trial->n_failed += failed;
  if (entry->was_killed || !entry->asked.is_known)
    return;
  *reserved += entry->asked.value * entry->hours;
  if (policy != JM_REQUEST_POLICY_KEEP)
    trial->saved += get_saved (self, entry, value, failed) * entry->hours;
}

/* The number of the last run to end before @time. */
static guint
find_ended_before (const JmRequestHistory *self, gint64 time)
{
  guint low = 0;
  guint high = self->entries->len;

  while (low < high)
    {
      const guint middle = (low + high) / 2;

      if (get_entry (self, middle)->end < time)
        high = middle;
      else
        low = middle + 1;
    }

  return low;
}

JmRequestTrial
jm_request_history_try (const JmRequestHistory *self, JmRequestPolicy policy)
{
  JmRequestTrial trial = { 0 };
  double reserved = 0;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = get_entry (self, i);
      const guint first = find_ended_before (self, entry->start);
      JmFigure value;

      if (self->entries->len - first < JM_RUN_SUGGESTION_MIN_RUNS)
        continue;
      value = choose (self, policy, entry, first);
      if (value.is_known)
        judge (self, entry, policy, value.value, &trial, &reserved);
    }
  if (reserved > 0)
    trial.saved_percent = jm_figure_known (100 * trial.saved / reserved);

  return trial;
}
