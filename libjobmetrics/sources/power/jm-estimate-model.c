/* jm-estimate-model.c: what a machine would have taken, doing what it did
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-estimate-parts-private.h"

#include "base/jm-parse-proc-private.h"

#define US_PER_TICK (JM_NS_PER_TICK / 1000)
#define US_PER_SECOND 1e6
/* The kernel's figures are of whole ticks, and not all of one moment. */
#define SLACK_TICKS 2

typedef struct
{
  guint64 id;
  guint n_cpus;
  guint n_cores;
  guint64 busy_us; /* of all its CPUs */
} Package;

struct _JmEstimateModel
{
  GArray *packages;     /* of Package */
  GArray *package_of;   /* of guint: the position of each CPU's package */
  GArray *busy_ticks;   /* of guint64: the highest seen of each CPU */
  double idle_watts;    /* for each core */
  double dynamic_watts; /* the same, on top, while it is busy */
  gint64 elapsed_us;
  gint64 last_us;
  gboolean has_begun;
};

static guint
find_package (JmEstimateModel *self, guint64 id)
{
  Package package = { .id = id };

  for (guint i = 0; i < self->packages->len; i++)
    if (g_array_index (self->packages, Package, i).id == id)
      return i;

  g_array_append_val (self->packages, package);

  return self->packages->len - 1;
}

static gboolean
is_first_of_core (const GArray *seats, guint position)
{
  const JmCpuSeat *seat = &g_array_index (seats, JmCpuSeat, position);

  for (guint i = 0; i < position; i++)
    {
      const JmCpuSeat *other = &g_array_index (seats, JmCpuSeat, i);

      if (other->package == seat->package && other->die == seat->die &&
          other->core == seat->core)
        return FALSE;
    }

  return TRUE;
}

static void
add_seat (JmEstimateModel *self, const GArray *seats, guint position)
{
  const JmCpuSeat *seat = &g_array_index (seats, JmCpuSeat, position);
  guint index = find_package (self, seat->package);
  Package *package = &g_array_index (self->packages, Package, index);

  package->n_cpus++;
  package->n_cores += is_first_of_core (seats, position) ? 1 : 0;
  if (seat->cpu >= self->package_of->len)
    g_array_set_size (self->package_of, seat->cpu + 1);
  g_array_index (self->package_of, guint, seat->cpu) = index;
}

JmEstimateModel *
jm_estimate_model_new (const GArray *seats, guint n_cpus)
{
  JmEstimateModel *self = g_new0 (JmEstimateModel, 1);
  Package whole = { .n_cpus = n_cpus, .n_cores = n_cpus };

  self->packages = g_array_new (FALSE, TRUE, sizeof (Package));
  self->package_of = g_array_new (FALSE, TRUE, sizeof (guint));
  self->busy_ticks = g_array_new (FALSE, TRUE, sizeof (guint64));
  for (guint i = 0; i < seats->len; i++)
    add_seat (self, seats, i);
  if (seats->len == 0)
    g_array_append_val (self->packages, whole);

  return self;
}

void
jm_estimate_model_free (JmEstimateModel *self)
{
  g_array_unref (self->packages);
  g_array_unref (self->package_of);
  g_array_unref (self->busy_ticks);
  g_free (self);
}

gboolean
jm_estimate_model_shows_threads (const JmEstimateModel *self)
{
  for (guint i = 0; i < self->packages->len; i++)
    {
      const Package *package = &g_array_index (self->packages, Package, i);

      if (package->n_cpus > package->n_cores)
        return TRUE;
    }

  return FALSE;
}

void
jm_estimate_model_set_watts (JmEstimateModel *self,
                             double idle_watts_per_core,
                             double busy_watts_per_core)
{
  self->idle_watts = idle_watts_per_core;
  self->dynamic_watts = MAX (busy_watts_per_core - idle_watts_per_core, 0);
}

/* A CPU that comes later, or has no seat, is taken for one of the first package. */
static Package *
get_package_of (JmEstimateModel *self, guint cpu)
{
  guint index =
    cpu < self->package_of->len ? g_array_index (self->package_of, guint, cpu) : 0;

  return &g_array_index (self->packages, Package, index);
}

/* A CPU that is offline has no figure, and goes on later from the one it had. */
static guint64
take_ticks (JmEstimateModel *self, guint cpu, guint64 now)
{
  guint64 before;

  if (cpu >= self->busy_ticks->len)
    g_array_set_size (self->busy_ticks, cpu + 1);

  before = g_array_index (self->busy_ticks, guint64, cpu);
  g_array_index (self->busy_ticks, guint64, cpu) = MAX (before, now);

  return now > before ? now - before : 0;
}

void
jm_estimate_model_step (JmEstimateModel *self, const GArray *busy_ticks, gint64 now_us)
{
  gint64 elapsed_us = self->has_begun ? MAX (now_us - self->last_us, 0) : 0;
  guint64 most = (guint64) elapsed_us / US_PER_TICK + SLACK_TICKS;

  for (guint cpu = 0; cpu < busy_ticks->len; cpu++)
    {
      guint64 ticks = take_ticks (self, cpu, g_array_index (busy_ticks, guint64, cpu));

      if (self->has_begun)
        get_package_of (self, cpu)->busy_us += MIN (ticks, most) * US_PER_TICK;
    }

  self->elapsed_us += elapsed_us;
  self->last_us = now_us;
  self->has_begun = TRUE;
}

guint
jm_estimate_model_count_packages (const JmEstimateModel *self)
{
  return self->packages->len;
}

guint64
jm_estimate_model_get_package (const JmEstimateModel *self, guint i)
{
  return g_array_index (self->packages, Package, i).id;
}

guint64
jm_estimate_model_get_energy_uj (const JmEstimateModel *self, guint i)
{
  const Package *package = &g_array_index (self->packages, Package, i);
  double cores_per_cpu = (double) package->n_cores / MAX (package->n_cpus, 1);

  /* a watt is a microjoule in a microsecond */
  return (guint64) (self->idle_watts * package->n_cores * (double) self->elapsed_us +
                    self->dynamic_watts * cores_per_cpu * (double) package->busy_us);
}

double
jm_estimate_model_get_seconds (const JmEstimateModel *self)
{
  return (double) self->elapsed_us / US_PER_SECOND;
}
