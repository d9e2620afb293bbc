/* jm-energy-demand.c: what each job has asked of a node's CPUs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-energy-split-private.h"

#include <math.h>

#include "base/jm-parse-private.h"
#include "sources/machine/jm-machine-private.h"

#define SECONDS(us) ((double) (us) / G_USEC_PER_SEC)

/* The first of the loads is what is no job's. */
#define SYSTEM_LOAD 0
#define SYSTEM_ID 0

#define CPUS_PER_WORD 64
#define MAX_CPU 65535

/* Who a user is. */
typedef struct
{
  guint64 id;
  guint first_word;   /* of the CPUs that it may use */
  guint first_placed; /* of the CPUs that it was seen on */
  JmWork work;        /* on all of them */
} Member;

struct _JmEnergyDemand
{
  JmMachine *machine;
  JmCpuFrequencies *frequencies; /* NULL without a machine */
  JmCpuActivity *activity;

  /* this round */
  gint64 round_us;
  GArray *total_ns; /* of guint64, by CPU: for how long it was busy since the boot */
  GArray *busy_ns;  /* the same, in this round */
  GArray *members;  /* of Member */
  GArray *users; /* of JmCpuUser, one for each; their CPUs are set when all are there */
  GArray *words; /* of guint64: bits of CPUs that they may use */
  GArray *placed; /* of guint64: their time by CPU */
  GArray *loads;  /* of JmLoad, the system's first */
  JmWork node_work;
};

JmEnergyDemand *
jm_energy_demand_new (JmMachine *machine)
{
  JmEnergyDemand *self = g_new0 (JmEnergyDemand, 1);

  if (machine != NULL)
    {
      self->machine = g_object_ref (machine);
      self->frequencies =
        jm_cpu_frequencies_new (jm_source_get_host (JM_SOURCE (machine)));
    }
  self->activity = jm_cpu_activity_new ();
  self->total_ns = g_array_new (FALSE, TRUE, sizeof (guint64));
  self->busy_ns = g_array_new (FALSE, TRUE, sizeof (guint64));
  self->members = g_array_new (FALSE, FALSE, sizeof (Member));
  self->words = g_array_new (FALSE, TRUE, sizeof (guint64));
  self->placed = g_array_new (FALSE, TRUE, sizeof (guint64));
  self->users = g_array_new (FALSE, FALSE, sizeof (JmCpuUser));
  self->loads = g_array_new (FALSE, FALSE, sizeof (JmLoad));

  return self;
}

void
jm_energy_demand_free (JmEnergyDemand *self)
{
  g_array_unref (self->total_ns);
  g_array_unref (self->busy_ns);
  g_array_unref (self->members);
  g_array_unref (self->words);
  g_array_unref (self->placed);
  g_array_unref (self->users);
  g_array_unref (self->loads);
  jm_cpu_activity_free (self->activity);
  g_clear_pointer (&self->frequencies, jm_cpu_frequencies_free);
  g_clear_object (&self->machine);
  g_free (self);
}

/* --- a round --- */

/* For how long each CPU was busy since the round before. The kernel takes some time
 * back now and then, and all of it when a CPU goes offline. */
static void
take_busy_times (JmEnergyDemand *self, JmReadings *readings)
{
  GArray *before = self->total_ns;

  self->total_ns = self->busy_ns;
  self->busy_ns = before;
  if (self->machine == NULL ||
      !jm_machine_read_cpu_times (self->machine, self->total_ns, readings))
    g_array_set_size (self->total_ns, 0);

  /* the array that holds the totals of before becomes that of the differences */
  g_array_set_size (self->busy_ns, self->total_ns->len);
  for (guint i = 0; i < self->total_ns->len; i++)
    {
      guint64 total_ns = g_array_index (self->total_ns, guint64, i);
      guint64 *busy_ns = &g_array_index (self->busy_ns, guint64, i);

      *busy_ns = self->round_us > 0 && total_ns > *busy_ns ? total_ns - *busy_ns : 0;
    }
}

void
jm_energy_demand_begin_round (JmEnergyDemand *self,
                              gint64 round_us,
                              JmReadings *readings)
{
  self->round_us = round_us;
  g_array_set_size (self->members, 0);
  g_array_set_size (self->users, 0);
  g_array_set_size (self->words, 0);
  g_array_set_size (self->placed, 0);
  self->node_work = jm_work_unknown;
  take_busy_times (self, readings);
}

GVariant *
jm_energy_demand_save (JmEnergyDemand *self)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_UINT64, self->total_ns->data,
                                    self->total_ns->len, sizeof (guint64));
}

void
jm_energy_demand_restore (JmEnergyDemand *self, GVariant *activity)
{
  gsize n;
  const guint64 *total_ns = g_variant_get_fixed_array (activity, &n, sizeof *total_ns);

  g_array_set_size (self->total_ns, 0);
  if (n > 0 && n <= MAX_CPU)
    g_array_append_vals (self->total_ns, total_ns, (guint) n);
}

/* Adds the bits of a list; how many words they take. */
static guint
take_cpus (JmEnergyDemand *self, const GString *list)
{
  guint first_word = self->words->len;
  const char *cursor = list->str;
  guint first, last;

  while (jm_parse_next_cpu_range (&cursor, list->str + list->len, &first, &last))
    for (guint cpu = first; cpu <= MIN (last, MAX_CPU); cpu++)
      {
        guint word = first_word + cpu / CPUS_PER_WORD;

        if (word >= self->words->len)
          g_array_set_size (self->words, word + 1);
        g_array_index (self->words, guint64, word) |= G_GUINT64_CONSTANT (1)
                                                      << cpu % CPUS_PER_WORD;
      }

  return self->words->len - first_word;
}

void
jm_energy_demand_add (JmEnergyDemand *self,
                      guint64 id,
                      const JmCpuUser *user,
                      const JmWork *work,
                      const GString *cpus)
{
  Member member = { id, self->words->len, self->placed->len, *work };

  g_array_append_val (self->members, member);
  g_array_append_vals (self->users, user, 1);
  if (user->n_placed > 0)
    g_array_append_vals (self->placed, user->placed_ns, user->n_placed);
  g_array_index (self->users, JmCpuUser, self->users->len - 1).n_words =
    take_cpus (self, cpus);
}

void
jm_energy_demand_count_node (JmEnergyDemand *self, const JmWork *work)
{
  self->node_work = *work;
}

void
jm_energy_demand_weigh (JmEnergyDemand *self)
{
  const guint64 *busy_ns = (const guint64 *) (gpointer) self->busy_ns->data;
  JmCpuInterval interval = { busy_ns, NULL, self->busy_ns->len,
                             SECONDS (self->round_us) };

  if (self->machine != NULL)
    {
      interval.frequencies =
        jm_cpu_frequencies_read (self->frequencies, busy_ns, self->busy_ns->len,
                                 (guint64) self->round_us * 1000);
      const GArray *seats = jm_machine_get_seats (self->machine);

      jm_cpu_activity_set_seats (self->activity,
                                 (const JmCpuSeat *) (gpointer) seats->data,
                                 seats->len);
    }

  for (guint i = 0; i < self->users->len; i++)
    {
      const Member *member = &g_array_index (self->members, Member, i);
      JmCpuUser *user = &g_array_index (self->users, JmCpuUser, i);

      user->cpus = user->n_words > 0
                     ? &g_array_index (self->words, guint64, member->first_word)
                     : NULL;
      user->placed_ns = user->n_placed > 0
                          ? &g_array_index (self->placed, guint64, member->first_placed)
                          : NULL;
    }

  jm_cpu_activity_weigh (self->activity, &interval,
                         (const JmCpuUser *) (gpointer) self->users->data,
                         self->users->len);
}

/* The packages that an item is about: one, or all. */
static void
get_packages (JmEnergyDemand *self,
              JmPowerDomain domain,
              guint number,
              guint *first,
              guint *n_packages)
{
  guint n = jm_cpu_activity_get_n_packages (self->activity);
  guint package = n;

  if (domain == JM_POWER_DOMAIN_PACKAGE || domain == JM_POWER_DOMAIN_DRAM)
    package = jm_cpu_activity_find_package (self->activity, number);

  *first = package < n ? package : 0;
  *n_packages = package < n ? 1 : n;
}

/* What a part of the node is driven by: memory by plain CPU time. */
static double
get_driver (const JmCpuPart *part, JmPowerDomain domain)
{
  return domain == JM_POWER_DOMAIN_DRAM ? part->busy_seconds : part->cpu_seconds;
}

static void
add_part (JmLoad *load, const JmCpuPart *part, JmPowerDomain domain)
{
  load->cpu_seconds += get_driver (part, domain);
  load->busy_seconds += part->busy_seconds;
  load->allocated_seconds += part->allocated_seconds;
}

/* What the jobs did not ask for is the system's. */
static void
make_loads (JmEnergyDemand *self, JmPowerDomain domain, guint first, guint n_packages)
{
  JmLoad *loads;

  g_array_set_size (self->loads, self->members->len + 1);
  loads = &g_array_index (self->loads, JmLoad, 0);
  loads[SYSTEM_LOAD] = (JmLoad){ .id = SYSTEM_ID, .work = jm_work_unknown };
  for (guint i = 0; i < self->members->len; i++)
    loads[i + 1] = (JmLoad){ .id = g_array_index (self->members, Member, i).id,
                             .work = jm_work_unknown };

  for (guint package = first; package < first + n_packages; package++)
    {
      add_part (&loads[SYSTEM_LOAD],
                jm_cpu_activity_get_system (self->activity, package), domain);
      for (guint i = 0; i < self->members->len; i++)
        add_part (&loads[i + 1], jm_cpu_activity_get_part (self->activity, i, package),
                  domain);
    }
}

/* --- what was counted --- */

/* On all packages together. */
static double
get_busy (JmEnergyDemand *self, guint load)
{
  double busy = 0;

  if (self->busy_ns->len == 0)
    return g_array_index (self->loads, JmLoad, load).busy_seconds;

  for (guint i = 0; i < jm_cpu_activity_get_n_packages (self->activity); i++)
    busy +=
      (load == SYSTEM_LOAD ? jm_cpu_activity_get_system (self->activity, i)
                           : jm_cpu_activity_get_part (self->activity, load - 1, i))
        ->busy_seconds;

  return busy;
}

/* Whoever rests has done nothing, be it counted or not; somebody must have been. */
static gboolean
is_counted (JmEnergyDemand *self)
{
  gboolean is_any = jm_work_is_known (&self->node_work);

  for (guint i = 0; i < self->members->len; i++)
    {
      const JmWork *work = &g_array_index (self->members, Member, i).work;

      if (!jm_work_is_known (work))
        return FALSE;
      is_any = is_any || work->counts[JM_WORK_CYCLES] > 0;
    }

  return is_any;
}

/* What the node did and the jobs did not. What counters that took turns are off by may
 * make the jobs' more than all. */
static double
get_rest (JmEnergyDemand *self, JmWorkKind kind)
{
  double rest = self->node_work.counts[kind];

  for (guint i = 0; i < self->members->len; i++)
    rest -= g_array_index (self->members, Member, i).work.counts[kind];

  return MAX (rest, 0);
}

/* What the system would have done in so many seconds, had it been as the jobs; NAN
 * where none ran. */
static double
guess_rest (JmEnergyDemand *self, JmWorkKind kind, double seconds)
{
  double count = 0;
  double busy = 0;

  for (guint i = 0; i < self->members->len; i++)
    {
      count += g_array_index (self->members, Member, i).work.counts[kind];
      busy += get_busy (self, i + 1);
    }

  return busy > 0 ? seconds * count / busy : seconds > 0 ? (double) NAN : 0;
}

static JmWork
get_work_of_system (JmEnergyDemand *self)
{
  gboolean is_known = jm_work_is_known (&self->node_work);
  double busy = get_busy (self, SYSTEM_LOAD);
  JmWork work;

  for (guint kind = 0; kind < JM_N_WORKS; kind++)
    work.counts[kind] =
      is_known ? get_rest (self, kind) : guess_rest (self, kind, busy);

  return work;
}

/* What was counted of a load goes where it was busy. */
static void
place_work (JmEnergyDemand *self, guint load, const JmWork *work)
{
  JmLoad *there = &g_array_index (self->loads, JmLoad, load);
  double busy = get_busy (self, load);
  double share = busy > 0 ? there->busy_seconds / busy : 0;

  for (guint kind = 0; kind < JM_N_WORKS; kind++)
    there->work.counts[kind] = work->counts[kind] * share;
}

/* Of all or of none: what one was counted doing, and another was not, does not compare.
 */
static void
add_work (JmEnergyDemand *self)
{
  JmWork system;

  if (!is_counted (self))
    return;

  system = get_work_of_system (self);
  place_work (self, SYSTEM_LOAD, &system);
  for (guint i = 0; i < self->members->len; i++)
    place_work (self, i + 1, &g_array_index (self->members, Member, i).work);
}

double
jm_energy_demand_get_presence (JmEnergyDemand *self, guint job, guint number)
{
  guint n = jm_cpu_activity_get_n_packages (self->activity);
  guint package = jm_cpu_activity_find_package (self->activity, number);
  double busy = 0;
  double allocated = 0;
  const JmCpuPart *part;

  if (package == n)
    return 1;

  for (guint i = 0; i < n; i++)
    {
      part = jm_cpu_activity_get_part (self->activity, job, i);
      busy += part->busy_seconds;
      allocated += part->allocated_seconds;
    }

  part = jm_cpu_activity_get_part (self->activity, job, package);
  if (busy > 0)
    return part->busy_seconds / busy;

  return allocated > 0 ? part->allocated_seconds / allocated : 1.0 / n;
}

/* Of a host that has nothing of its CPUs. */
static void
make_plain_loads (JmEnergyDemand *self)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      const JmCpuUser *user = &g_array_index (self->users, JmCpuUser, i);
      JmLoad *load = &g_array_index (self->loads, JmLoad, i + 1);

      load->cpu_seconds = load->busy_seconds = (double) user->cpu_ns / 1e9;
      load->allocated_seconds = user->n_allocated * user->seconds;
    }
}

static double
get_capacity (JmEnergyDemand *self, guint first, guint n_packages)
{
  double capacity = 0;

  for (guint package = first; package < first + n_packages; package++)
    capacity += jm_cpu_activity_get_capacity (self->activity, package);

  return capacity;
}

const JmLoad *
jm_energy_demand_get_loads (JmEnergyDemand *self,
                            JmPowerDomain domain,
                            guint number,
                            guint *n_loads,
                            double *capacity_seconds)
{
  guint first, n_packages;

  get_packages (self, domain, number, &first, &n_packages);
  make_loads (self, domain, first, n_packages);
  if (self->busy_ns->len == 0)
    make_plain_loads (self);
  add_work (self);
  *n_loads = self->loads->len;
  *capacity_seconds = get_capacity (self, first, n_packages);

  return (const JmLoad *) (gpointer) self->loads->data;
}
