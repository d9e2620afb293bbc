/* jm-gpu-split.c: whose an accelerator's energy was
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-gpu-energy-private.h"

#include <math.h>

/* What is known of a device from round to round, by its number. */
typedef struct
{
  double idle_uw;    /* the lowest power while it idled; NAN before it did */
  gboolean was_idle; /* in the round before */
} Device;

/* Those who had something of one seat, together. */
typedef struct
{
  guint n;
  double use;
  double share;         /* times presence */
  gboolean is_use_told; /* of each of them */
} Crowd;

typedef struct
{
  JmGpuSeat told;
  Crowd crowd;
  double use;      /* how busy it was, as far as it is known */
  gboolean counts; /* what its device took beyond being there was taken here too */
} Seat;

struct _JmGpuSplit
{
  gboolean share_idle;
  GArray *devices; /* of Device */

  /* this round */
  GArray *seats; /* of Seat */
  GArray *users; /* of JmGpuUser */
  gboolean is_complete;

  /* of the energy that is split */
  GArray *weights; /* of double: the users', then the system's */
  GArray *shares;  /* of double: the users' */
  GArray *active;  /* of guint64: the users', then the system's */
  GArray *parts;   /* of guint64: the users' */
  JmGpuParts told;
};

JmGpuSplit *
jm_gpu_split_new (gboolean share_idle)
{
  JmGpuSplit *self = g_new0 (JmGpuSplit, 1);

  self->share_idle = share_idle;
  self->devices = g_array_new (FALSE, FALSE, sizeof (Device));
  self->seats = g_array_new (FALSE, FALSE, sizeof (Seat));
  self->users = g_array_new (FALSE, FALSE, sizeof (JmGpuUser));
  self->weights = g_array_new (FALSE, TRUE, sizeof (double));
  self->shares = g_array_new (FALSE, TRUE, sizeof (double));
  self->active = g_array_new (FALSE, TRUE, sizeof (guint64));
  self->parts = g_array_new (FALSE, TRUE, sizeof (guint64));

  return self;
}

void
jm_gpu_split_free (JmGpuSplit *self)
{
  g_array_unref (self->devices);
  g_array_unref (self->seats);
  g_array_unref (self->users);
  g_array_unref (self->weights);
  g_array_unref (self->shares);
  g_array_unref (self->active);
  g_array_unref (self->parts);
  g_free (self);
}

static Device *
get_device (JmGpuSplit *self, guint number)
{
  for (guint i = self->devices->len; i <= number; i++)
    {
      const Device fresh = { .idle_uw = NAN };

      g_array_append_val (self->devices, fresh);
    }

  return &g_array_index (self->devices, Device, number);
}

static Seat *
get_seat (JmGpuSplit *self, guint i)
{
  return &g_array_index (self->seats, Seat, i);
}

static const JmGpuUser *
get_user (JmGpuSplit *self, guint i)
{
  return &g_array_index (self->users, JmGpuUser, i);
}

void
jm_gpu_split_add_seat (JmGpuSplit *self, const JmGpuSeat *seat)
{
  const Seat added = { .told = *seat };

  g_array_append_val (self->seats, added);
}

void
jm_gpu_split_add_user (JmGpuSplit *self, const JmGpuUser *user)
{
  g_array_append_vals (self->users, user, 1);
}

/* Whether what the seat took is in the device's energy. */
static gboolean
is_of (const Seat *seat, guint device)
{
  return (seat->told.is_instance ? seat->told.parent : seat->told.device) == device;
}

/* Who neither was given any of it nor did anything with it had nothing of it. */
static gboolean
has (const JmGpuUser *user, const Seat *seat)
{
  return user->device == seat->told.device && user->presence > 0 &&
         !(user->share <= 0 && user->use <= 0);
}

/* --- who had what --- */

static void
look_at_users (JmGpuSplit *self, Seat *seat)
{
  Crowd *crowd = &seat->crowd;

  *crowd = (Crowd){ .is_use_told = TRUE };
  for (guint i = 0; i < self->users->len; i++)
    {
      const JmGpuUser *user = get_user (self, i);

      if (!has (user, seat))
        continue;

      crowd->n++;
      crowd->share += user->share * user->presence;
      if (isnan (user->use))
        crowd->is_use_told = FALSE;
      else
        crowd->use += user->use;
    }

  seat->use = seat->told.use;
  if (isnan (seat->use) && crowd->n > 0 && crowd->is_use_told)
    seat->use = fmin (crowd->use, 1);
}

static gboolean
is_in_use (const Seat *seat)
{
  return seat->crowd.n > 0 || seat->use > 0;
}

static gboolean
has_instances_in_use (JmGpuSplit *self, const Seat *seat)
{
  for (guint i = 0; i < self->seats->len; i++)
    {
      const Seat *other = get_seat (self, i);

      if (other->told.is_instance && other->told.parent == seat->told.device &&
          is_in_use (other))
        return TRUE;
    }

  return FALSE;
}

/* A device is a seat of its own, but where instances of it are used: how busy it is is
 * then how busy they are. */
static void
complete (JmGpuSplit *self)
{
  if (self->is_complete)
    return;

  for (guint i = 0; i < self->seats->len; i++)
    look_at_users (self, get_seat (self, i));
  for (guint i = 0; i < self->seats->len; i++)
    {
      Seat *seat = get_seat (self, i);

      seat->counts = seat->told.is_instance || has_instances_in_use (self, seat)
                       ? seat->crowd.n > 0 || (seat->told.is_instance && seat->use > 0)
                       : TRUE;
    }
  self->is_complete = TRUE;
}

/* --- idling --- */

/* Where it is not known how busy it was, only what nobody had is known to have idled.
 */
static gboolean
may_work (const Seat *seat)
{
  return seat->use > 0 || seat->crowd.use > 0 ||
         (isnan (seat->use) && seat->crowd.n > 0);
}

static gboolean
is_idle (JmGpuSplit *self, guint device)
{
  for (guint i = 0; i < self->seats->len; i++)
    if (is_of (get_seat (self, i), device) && may_work (get_seat (self, i)))
      return FALSE;

  return TRUE;
}

/* Nobody had it, and its use is known to be none. */
static gboolean
is_deserted (JmGpuSplit *self, guint device)
{
  gboolean is_told = FALSE;

  for (guint i = 0; i < self->seats->len; i++)
    {
      const Seat *seat = get_seat (self, i);

      if (is_of (seat, device) && seat->crowd.n > 0)
        return FALSE;
      is_told = is_told || (seat->told.device == device && seat->told.use <= 0);
    }

  return is_told;
}

/* What it says it takes; else what it took. */
static double
get_power (JmGpuSplit *self, guint device, guint64 energy_uj, gint64 span_us)
{
  for (guint i = 0; i < self->seats->len; i++)
    {
      const JmGpuSeat *seat = &get_seat (self, i)->told;

      if (seat->device == device && seat->power_uw > 0)
        return (double) seat->power_uw;
    }

  return energy_uj > 0 && span_us > 0
           ? (double) energy_uj * G_USEC_PER_SEC / (double) span_us
           : NAN;
}

/* Idle power is the lowest at the end of an interval at both ends of which the device
 * did nothing: what it did in between makes it higher. */
static guint64
take_base (JmGpuSplit *self, guint number, guint64 energy_uj, gint64 span_us)
{
  Device *device = get_device (self, number);
  gboolean idled = device->was_idle && is_idle (self, number);

  if (idled)
    device->idle_uw =
      fmin (device->idle_uw, get_power (self, number, energy_uj, span_us));

  if (idled && is_deserted (self, number))
    return energy_uj;
  if (isnan (device->idle_uw))
    return 0;

  return (guint64) fmin (device->idle_uw * (double) MAX (span_us, 0) / G_USEC_PER_SEC,
                         (double) energy_uj);
}

/* One of which nothing was reported in a round may have been used meanwhile. */
static void
note_idle_devices (JmGpuSplit *self)
{
  complete (self);
  for (guint i = 0; i < self->devices->len; i++)
    get_device (self, i)->was_idle = FALSE;
  for (guint i = 0; i < self->seats->len; i++)
    {
      const JmGpuSeat *seat = &get_seat (self, i)->told;

      if (!seat->is_instance)
        get_device (self, seat->device)->was_idle = is_idle (self, seat->device);
    }
}

/* --- what is more than that --- */

/* By what was used, if that is known of each; else by what was given; else alike. What
 * was used has in it how long somebody was there. */
static double
weigh_user (const JmGpuUser *user, const Crowd *crowd)
{
  if (crowd->n == 1)
    return 1;
  if (crowd->is_use_told && crowd->use > 0)
    return user->use;
  if (crowd->share > 0)
    return user->share * user->presence;

  return 1;
}

static double
sum_weights (JmGpuSplit *self, const Seat *seat)
{
  double sum = 0;

  for (guint i = 0; i < self->users->len; i++)
    if (has (get_user (self, i), seat))
      sum += weigh_user (get_user (self, i), &seat->crowd);

  return sum;
}

/* Seats go by size and use, if that is known of each that counts; else by size. */
static gboolean
is_use_known (JmGpuSplit *self, guint device)
{
  double sum = 0;

  for (guint i = 0; i < self->seats->len; i++)
    {
      const Seat *seat = get_seat (self, i);

      if (is_of (seat, device) && seat->counts)
        sum += seat->told.size * seat->use;
    }

  return sum > 0;
}

/* What was used of a seat that nobody had is the system's. */
static void
weigh_seat (JmGpuSplit *self, const Seat *seat, gboolean by_use, double *weights)
{
  double weight = seat->told.size * (by_use ? seat->use : 1);
  double sum = sum_weights (self, seat);

  if (sum <= 0)
    weights[self->users->len] += weight;
  for (guint i = 0; sum > 0 && i < self->users->len; i++)
    if (has (get_user (self, i), seat))
      weights[i] += weight * weigh_user (get_user (self, i), &seat->crowd) / sum;
}

static double
sum_up (const GArray *numbers)
{
  double sum = 0;

  for (guint i = 0; i < numbers->len; i++)
    sum += g_array_index (numbers, double, i);

  return sum;
}

/* All of it was used by somebody: where it is not known by whom, by the system. */
static void
weigh (JmGpuSplit *self, guint device)
{
  gboolean by_use = is_use_known (self, device);
  double *weights;

  g_array_set_size (self->weights, 0);
  g_array_set_size (self->weights, self->users->len + 1);
  weights = (double *) (gpointer) self->weights->data;
  for (guint i = 0; i < self->seats->len; i++)
    if (is_of (get_seat (self, i), device) && get_seat (self, i)->counts)
      weigh_seat (self, get_seat (self, i), by_use, weights);

  if (sum_up (self->weights) <= 0)
    weights[self->users->len] = 1;
}

/* --- the split --- */

/* Splits by weights such that what is rounded off of one is added to the next. Returns
 * what is left where @whole is more than all weights. */
static guint64
divide (guint64 energy_uj, const GArray *weights, double whole, GArray *parts)
{
  double reached = 0;
  guint64 reached_uj = 0;

  g_array_set_size (parts, weights->len);
  for (guint i = 0; i < weights->len; i++)
    {
      guint64 next_uj = energy_uj;

      reached += g_array_index (weights, double, i);
      if (reached < whole)
        next_uj = MIN ((guint64) (reached / whole * (double) energy_uj), energy_uj);
      next_uj = MAX (next_uj, reached_uj);

      g_array_index (parts, guint64, i) = next_uj - reached_uj;
      reached_uj = next_uj;
    }

  return energy_uj - reached_uj;
}

/* What being there takes is theirs who were given it, if it is shared at all. */
static double
get_idle_share (JmGpuSplit *self, const JmGpuUser *user, guint device)
{
  if (!self->share_idle || isnan (user->share))
    return 0;

  for (guint i = 0; i < self->seats->len; i++)
    {
      const Seat *seat = get_seat (self, i);

      if (is_of (seat, device) && seat->told.device == user->device)
        return user->share * user->presence * seat->told.size;
    }

  return 0;
}

/* Returns what is nobody's. */
static guint64
divide_base (JmGpuSplit *self, guint device, guint64 base_uj)
{
  g_array_set_size (self->shares, self->users->len);
  for (guint i = 0; i < self->users->len; i++)
    g_array_index (self->shares, double, i) =
      get_idle_share (self, get_user (self, i), device);

  return divide (base_uj, self->shares, fmax (sum_up (self->shares), 1), self->parts);
}

void
jm_gpu_split_begin_round (JmGpuSplit *self)
{
  note_idle_devices (self);
  g_array_set_size (self->seats, 0);
  g_array_set_size (self->users, 0);
  self->is_complete = FALSE;
}

const JmGpuParts *
jm_gpu_split_take (JmGpuSplit *self, guint device, guint64 energy_uj, gint64 span_us)
{
  guint64 base_uj;

  complete (self);
  base_uj = take_base (self, device, energy_uj, span_us);
  self->told.base_uj = base_uj;
  self->told.is_base_known = base_uj > 0 || !isnan (get_device (self, device)->idle_uw);
  self->told.idle_uj = divide_base (self, device, base_uj);
  weigh (self, device);
  divide (energy_uj - base_uj, self->weights, sum_up (self->weights), self->active);
  self->told.system_uj = g_array_index (self->active, guint64, self->users->len);
  for (guint i = 0; i < self->users->len; i++)
    g_array_index (self->parts, guint64, i) += g_array_index (self->active, guint64, i);
  self->told.users_uj = (const guint64 *) (gpointer) self->parts->data;

  return &self->told;
}
