/* jm-power-model.c: what a domain takes when idle, and what each load asks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-power-model-private.h"

#include <math.h>

/* Shorter ones are mostly the uncertainty of when exactly they began and ended. */
#define MIN_SECONDS 0.2

/* How far apart a domain's counter and those of its loads may be read. */
#define SKEW_SECONDS 0.003

/* So many intervals in a row that were this far off: nothing that was learned holds. */
#define MAX_SURPRISES 20
#define SURPRISE 8.0

/* A load that was on no socket in as many rounds has gone. */
#define ROUNDS_TO_REMEMBER 2

/* A newcomer takes another's place among those that are distinguished if it is so much
 * larger: not back and forth. */
#define DISPLACES_AT 2.0

/* Of the common coefficient, the least that a load's can be. */
#define LEAST_COEFFICIENT 0.1

/* What the filter's numbers are, all in watts: what a load's coefficient is more than
 * the common one comes after these. */
enum
{
  STATE_COMMON,
  STATE_CROWDING,
  STATE_WAKE,
  STATE_EXTRA,
  STATE_IDLE,
  STATE_LOAD = STATE_IDLE + JM_POWER_MODEL_MAX_SOCKETS,
  MAX_STATES = STATE_LOAD + JM_POWER_MODEL_MAX_LOADS,
};

G_STATIC_ASSERT (MAX_STATES <= JM_KALMAN_FILTER_MAX);

typedef struct
{
  guint64 id;
  guint last_round;
  double size; /* activity, as of late */
} Load;

typedef struct
{
  guint number;
  guint last_round;
} Socket;

struct _JmPowerModel
{
  JmPowerTraits traits;
  JmKalmanFilter filter;
  Load loads[JM_POWER_MODEL_MAX_LOADS];
  guint n_loads;
  Socket sockets[JM_POWER_MODEL_MAX_SOCKETS];
  guint n_sockets;
  guint round;
  guint n_surprises;
  guint next_load; /* where the next one that is looked for is likely to be */
};

JmPowerModel *
jm_power_model_new (const JmPowerTraits *traits)
{
  JmPowerModel *self = g_new0 (JmPowerModel, 1);

  self->traits = *traits;

  return self;
}

void
jm_power_model_free (JmPowerModel *self)
{
  g_free (self);
}

static double
square (double x)
{
  return x * x;
}

static double
get_common (JmPowerModel *self)
{
  return self->filter.mean[STATE_COMMON];
}

static gboolean
is_ready (JmPowerModel *self)
{
  return self->n_sockets > 0;
}

static void
reset (JmPowerModel *self)
{
  self->n_sockets = 0;
  self->n_loads = 0;
  self->n_surprises = 0;
  self->next_load = 0;
}

/* Where they come in the same order each time, the first look finds. */
static guint
find_load (JmPowerModel *self, guint64 id)
{
  for (guint n = 0; n < self->n_loads; n++)
    {
      guint i = self->next_load + n;

      if (i >= self->n_loads)
        i -= self->n_loads;
      if (self->loads[i].id == id)
        {
          self->next_load = i + 1 < self->n_loads ? i + 1 : 0;
          return i;
        }
    }

  return self->n_loads;
}

static guint
find_socket (JmPowerModel *self, guint number)
{
  guint i = 0;

  while (i < self->n_sockets && self->sockets[i].number != number)
    i++;

  return i;
}

static double
sum_activity (const JmPowerDemand *demands, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += demands[i].activity;

  return sum;
}

static double
sum_busy (const JmPowerDemand *demands, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += demands[i].busy;

  return sum;
}

/* How awake a domain is with so many busy at the same time on average, who do not know
 * of each other. */
static double
get_wakefulness (double n_busy)
{
  return 1 - exp (-n_busy);
}

/* How busy a domain is, at most 1. */
static double
get_crowd (const JmPowerInterval *interval, double activity)
{
  return interval->capacity > 0 ? MIN (activity / interval->capacity, 1) : 0;
}

/* What idle power is, and what a unit of activity takes, by one interval alone. */
static void
guess (const JmPowerTraits *traits,
       const JmPowerInterval *interval,
       double activity,
       double *idle,
       double *common)
{
  double power = interval->energy / interval->seconds;
  double part = traits->full_idle;
  double capacity = MAX (interval->capacity, activity);
  double full = power;

  if (traits->common > 0)
    {
      *common = traits->common;
      *idle = MAX (power - *common * activity / interval->seconds, power * part);
      return;
    }

  if (capacity > 0)
    full = power / (part + (1 - part) * activity / capacity);

  *idle = full * part;
  *common = capacity > 0 ? full * (1 - part) * interval->seconds / capacity : full;
}

static void
begin (JmPowerModel *self, double idle, double common)
{
  double wake = idle * self->traits.wake;

  jm_kalman_filter_init (&self->filter);
  jm_kalman_filter_add (&self->filter, common,
                        square (common * self->traits.common_spread));
  jm_kalman_filter_add (&self->filter, common * self->traits.crowding,
                        square (common * self->traits.crowding));
  jm_kalman_filter_add (&self->filter, wake, square (wake));
  jm_kalman_filter_add (&self->filter, common * self->traits.extra,
                        square (common * self->traits.extra));
  for (guint i = 0; i < JM_POWER_MODEL_MAX_SOCKETS; i++)
    jm_kalman_filter_add (&self->filter, 0, 0);
}

/* Where the socket's idle power is kept; the number of all if nowhere. */
static guint
meet_socket (JmPowerModel *self,
             const JmPowerInterval *interval,
             const JmPowerDemand *demands,
             guint n)
{
  guint i = find_socket (self, interval->socket);
  double idle, common;

  if (i < self->n_sockets || i == JM_POWER_MODEL_MAX_SOCKETS)
    return i;

  guess (&self->traits, interval, sum_activity (demands, n), &idle, &common);
  if (!is_ready (self))
    begin (self, idle, common);
  self->sockets[i] = (Socket){ .number = interval->socket, .last_round = self->round };
  self->n_sockets++;
  jm_kalman_filter_replace (&self->filter, STATE_IDLE + i, idle, square (idle / 2));

  return i;
}

static void
forget_load (JmPowerModel *self, guint i)
{
  jm_kalman_filter_remove (&self->filter, STATE_LOAD + i);
  self->loads[i] = self->loads[--self->n_loads];
}

/* A round is over when a socket comes that was in it already. */
static void
advance_round (JmPowerModel *self, guint socket)
{
  if (self->sockets[socket].last_round == self->round)
    {
      self->round++;
      for (guint i = self->n_loads; i > 0; i--)
        if (self->round - self->loads[i - 1].last_round > ROUNDS_TO_REMEMBER)
          forget_load (self, i - 1);
    }

  self->sockets[socket].last_round = self->round;
}

static guint
find_smallest (JmPowerModel *self)
{
  guint smallest = 0;

  for (guint i = 1; i < self->n_loads; i++)
    if (self->loads[i].size < self->loads[smallest].size)
      smallest = i;

  return smallest;
}

static void
meet_load (JmPowerModel *self, const JmPowerDemand *demand, double rate)
{
  double variance = square (self->traits.load_spread * get_common (self));
  guint i = self->n_loads;

  if (self->n_loads < JM_POWER_MODEL_MAX_LOADS)
    {
      jm_kalman_filter_add (&self->filter, 0, variance);
      self->n_loads++;
    }
  else
    {
      i = find_smallest (self);
      if (rate < self->loads[i].size * DISPLACES_AT)
        return;
      jm_kalman_filter_replace (&self->filter, STATE_LOAD + i, 0, variance);
    }

  self->loads[i] = (Load){ .id = demand->id, .last_round = self->round, .size = rate };
}

/* One is met when it first does something. */
static void
meet_loads (JmPowerModel *self,
            const JmPowerInterval *interval,
            const JmPowerDemand *demands,
            guint n)
{
  for (guint i = 0; i < n; i++)
    {
      double rate = demands[i].activity / interval->seconds;
      guint load = find_load (self, demands[i].id);

      if (load < self->n_loads)
        {
          self->loads[load].last_round = self->round;
          self->loads[load].size += (rate - self->loads[load].size) / 4;
        }
      else if (rate > 0)
        meet_load (self, &demands[i], rate);
    }
}

/* What was learned grows old, never older than what was not learned yet. */
static void
age (JmPowerModel *self, double seconds, guint socket)
{
  const JmPowerTraits *traits = &self->traits;
  double common = get_common (self);
  double idle = self->filter.mean[STATE_IDLE + socket];
  double limit = square (traits->load_spread * common);
  double drift = square (traits->load_drift * common) * seconds;

  jm_kalman_filter_widen (&self->filter, STATE_COMMON,
                          square (traits->common_drift * common) * seconds,
                          square (traits->common_spread * common));
  jm_kalman_filter_widen (&self->filter, STATE_CROWDING,
                          square (traits->common_drift * traits->crowding * common) *
                            seconds,
                          square (traits->crowding * common));
  jm_kalman_filter_widen (&self->filter, STATE_WAKE,
                          square (traits->idle_drift * idle) * seconds,
                          square (traits->wake * idle));
  jm_kalman_filter_widen (&self->filter, STATE_EXTRA,
                          square (traits->common_drift * traits->extra * common) *
                            seconds,
                          square (traits->extra * common));
  jm_kalman_filter_widen (&self->filter, STATE_IDLE + socket,
                          square (traits->idle_drift * idle) * seconds,
                          square (idle / 2));
  for (guint i = 0; i < self->n_loads; i++)
    jm_kalman_filter_widen (&self->filter, STATE_LOAD + i, drift, limit);
}

static void
observe (JmPowerModel *self,
         const JmPowerInterval *interval,
         const JmPowerDemand *demands,
         guint n,
         guint socket)
{
  double weights[MAX_STATES] = { 0 };
  double power = interval->energy / interval->seconds;
  double noise = square (power) * (square (self->traits.noise) +
                                   square (SKEW_SECONDS / interval->seconds));

  weights[STATE_IDLE + socket] = 1;
  for (guint i = 0; i < n; i++)
    {
      double rate = demands[i].activity / interval->seconds;
      guint load = find_load (self, demands[i].id);

      weights[STATE_COMMON] += rate;
      if (self->traits.extra > 0)
        weights[STATE_EXTRA] += demands[i].extra / interval->seconds;
      if (load < self->n_loads)
        weights[STATE_LOAD + load] += rate;
    }
  if (self->traits.crowding > 0)
    weights[STATE_CROWDING] =
      -weights[STATE_COMMON] *
      get_crowd (interval, weights[STATE_COMMON] * interval->seconds);
  if (self->traits.wake > 0)
    weights[STATE_WAKE] = get_wakefulness (sum_busy (demands, n) / interval->seconds);

  if (jm_kalman_filter_observe (&self->filter, weights, power, noise) > SURPRISE)
    self->n_surprises++;
  else
    self->n_surprises = 0;
}

/* No power is negative, and no load's coefficient is nothing. */
static void
bound (JmPowerModel *self)
{
  double lowest[MAX_STATES] = { 0 };

  for (guint i = 0; i < self->n_loads; i++)
    lowest[STATE_LOAD + i] = (LEAST_COEFFICIENT - 1) * get_common (self);
  jm_kalman_filter_bound (&self->filter, lowest);
}

/* Learns from one domain's interval. The energy must be some, and all numbers finite
 * and not negative. */
void
jm_power_model_learn (JmPowerModel *self,
                      const JmPowerInterval *interval,
                      const JmPowerDemand *demands,
                      guint n)
{
  guint socket;

  if (interval->seconds < MIN_SECONDS || !(interval->energy > 0))
    return;

  socket = meet_socket (self, interval, demands, n);
  if (socket == JM_POWER_MODEL_MAX_SOCKETS)
    return;

  advance_round (self, socket);
  age (self, interval->seconds, socket);
  meet_loads (self, interval, demands, n);
  observe (self, interval, demands, n, socket);
  bound (self);
  if (self->n_surprises > MAX_SURPRISES || !jm_kalman_filter_is_sound (&self->filter))
    reset (self);
}

static double
get_coefficient (JmPowerModel *self, guint64 id, double crowd)
{
  double common = get_common (self);
  double coefficient = common - crowd * self->filter.mean[STATE_CROWDING];
  guint load = find_load (self, id);

  if (load < self->n_loads)
    coefficient += self->filter.mean[STATE_LOAD + load];

  return MAX (coefficient, LEAST_COEFFICIENT * common);
}

static void
share_wake (JmPowerModel *self,
            double wake,
            const JmPowerDemand *demands,
            guint n,
            double *joules)
{
  double busy = sum_busy (demands, n);
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += joules[i];
  for (guint i = 0; i < n; i++)
    {
      double by_what_it_takes = sum > 0 ? joules[i] / sum : 0;

      joules[i] += wake * self->traits.wake_alike * demands[i].busy / busy +
                   wake * (1 - self->traits.wake_alike) * by_what_it_takes;
    }
}

/* Fills @joules with what each load should have taken by what was learned, and returns
 * what the domain should have taken when idle. They do not add up to what it took. */
double
jm_power_model_explain (JmPowerModel *self,
                        const JmPowerInterval *interval,
                        const JmPowerDemand *demands,
                        guint n,
                        double *joules)
{
  double seconds = interval->seconds > 0 ? interval->seconds : 0;
  double activity = sum_activity (demands, n);
  double busy = sum_busy (demands, n);
  guint socket = find_socket (self, interval->socket);
  double idle, common, crowd;

  if (socket == self->n_sockets)
    {
      /* 1: joules are all that counts then, and they only as parts of a whole */
      JmPowerInterval guessed = *interval;

      guessed.seconds = seconds > 0 ? seconds : 1;
      guess (&self->traits, &guessed, activity, &idle, &common);
      for (guint i = 0; i < n; i++)
        joules[i] =
          common * (demands[i].activity + self->traits.extra * demands[i].extra);
      return idle * guessed.seconds;
    }

  crowd = get_crowd (interval, activity);
  for (guint i = 0; i < n; i++)
    joules[i] = get_coefficient (self, demands[i].id, crowd) * demands[i].activity +
                self->filter.mean[STATE_EXTRA] * demands[i].extra;
  if (self->traits.wake > 0 && seconds > 0 && busy > 0)
    share_wake (self,
                self->filter.mean[STATE_WAKE] * seconds *
                  get_wakefulness (busy / seconds),
                demands, n, joules);

  return self->filter.mean[STATE_IDLE + socket] * seconds;
}
