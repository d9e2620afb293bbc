/* jm-readings.c: the table that sources fill in one sweep
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-readings-private.h"

#include <time.h>

#include "base/jm-error.h"
#include "core/jm-power-domain-private.h"
#include "core/jm-quantity-private.h"

#define NO_COLLECTOR JM_N_COLLECTORS
/* Domains of one source; one that has more makes them up. */
/* The kernel has no more. */
#define MAX_CPU 65535
#define MAX_DOMAINS 1024

struct _JmReadings
{
  GArray *values;      /* of JmReading; each owns a reference of its labels */
  GArray *processes;   /* of guint */
  GString *cpus;       /* a list as the kernel writes it */
  GArray *placed;      /* of guint64, by CPU: nanoseconds */
  GHashTable *domains; /* of JmLabels: kept, so that the next round makes none */
  guint subject;
  guint64 round_ns; /* when it began */
  guint64 age_us;
  JmCollectorSet collectors;
  guint current; /* the collector at work, or NO_COLLECTOR */
  guint64 began_ns;
  JmCollectorStatus status[JM_N_COLLECTORS];
};

G_DEFINE_BOXED_TYPE (JmReadings, jm_readings, jm_readings_ref, jm_readings_unref)

static guint64
now_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);

  return (guint64) t.tv_sec * 1000000000 + (guint64) t.tv_nsec;
}

static void
reading_clear (gpointer reading)
{
  g_clear_pointer (&((JmReading *) reading)->labels, jm_labels_unref);
}

/**
 * jm_readings_new:
 *
 * Makes an empty table in which every collector is wanted.
 *
 * Returns: (transfer full): the readings
 * Since: 0.1
 */
JmReadings *
jm_readings_new (void)
{
  JmReadings *self = g_atomic_rc_box_new0 (JmReadings);

  self->values = g_array_new (FALSE, FALSE, sizeof (JmReading));
  g_array_set_clear_func (self->values, reading_clear);
  self->processes = g_array_new (FALSE, FALSE, sizeof (guint));
  self->cpus = g_string_new (NULL);
  self->placed = g_array_new (FALSE, TRUE, sizeof (guint64));
  self->domains =
    g_hash_table_new_full (NULL, NULL, (GDestroyNotify) jm_labels_unref, NULL);
  self->collectors = *jm_collector_set_get_all ();
  self->current = NO_COLLECTOR;
  self->round_ns = now_ns ();

  return self;
}

JmReadings *
jm_readings_ref (JmReadings *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
readings_clear (JmReadings *self)
{
  g_array_unref (self->values);
  g_array_unref (self->processes);
  g_string_free (self->cpus, TRUE);
  g_array_unref (self->placed);
  g_hash_table_unref (self->domains);
  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    g_clear_error (&self->status[i].first_error);
}

/**
 * jm_readings_unref:
 * @self: (transfer full): readings
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_readings_unref (JmReadings *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) readings_clear);
}

/* Forgets the last round and begins a new one in which only @collectors are
 * wanted. */
void
jm_readings_reset (JmReadings *self, const JmCollectorSet *collectors)
{
  g_array_set_size (self->values, 0);
  g_array_set_size (self->processes, 0);
  jm_readings_clear_cpus (self);
  self->subject = 0;
  self->round_ns = now_ns ();
  self->age_us = 0;
  self->collectors = *collectors;
  self->current = NO_COLLECTOR;
  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    {
      g_clear_error (&self->status[i].first_error);
      self->status[i] = (JmCollectorStatus){ 0 };
    }
}

guint64
jm_readings_get_round (JmReadings *self)
{
  return self->round_ns;
}

/* What is added from here on is about @subject. */
void
jm_readings_set_subject (JmReadings *self, guint subject)
{
  self->subject = subject;
}

/**
 * jm_readings_begin:
 * @self: readings
 * @collector: what the source wants to read now
 *
 * Asks whether a collector's figures are wanted, and if so begins them: time and errors
 * up to the next jm_readings_begin() or jm_readings_end() count as this collector's.
 *
 * Returns: whether they are wanted; if not, nothing of it should be read
 * Since: 0.1
 */
gboolean
jm_readings_begin (JmReadings *self, JmCollector collector)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail ((guint) collector < JM_N_COLLECTORS, FALSE);

  if (!jm_collector_set_has (&self->collectors, collector))
    return FALSE;

  if (self->current != collector)
    {
      jm_readings_end (self);
      self->current = collector;
      self->began_ns = now_ns ();
    }

  return TRUE;
}

/**
 * jm_readings_end:
 * @self: readings
 *
 * Ends what jm_readings_begin() began.
 *
 * Since: 0.1
 */
void
jm_readings_end (JmReadings *self)
{
  g_return_if_fail (self != NULL);

  if (self->current == NO_COLLECTOR)
    return;

  self->status[self->current].duration_ns += now_ns () - self->began_ns;
  self->current = NO_COLLECTOR;
}

void
jm_readings_add (JmReadings *self, JmMetric metric, guint64 value)
{
  JmReading reading = { self->subject, metric, value, NULL };

  g_return_if_fail (jm_metric_get_info (metric)->n_labels == 0);

  g_array_append_val (self->values, reading);
}

void
jm_readings_add_labelled (JmReadings *self,
                          JmMetric metric,
                          JmLabels *labels,
                          guint64 value)
{
  JmReading reading = { self->subject, metric, value, labels };

  g_return_if_fail (labels != NULL);
  g_return_if_fail (jm_metric_get_info (metric)->n_labels ==
                    jm_labels_get_size (labels));

  jm_labels_ref (labels);
  g_array_append_val (self->values, reading);
}

/**
 * jm_readings_add_value:
 * @self: readings
 * @quantity: what was read, without labels: see jm_quantity_of_subject()
 * @value: how much, in the quantity's own unit (see #JmUnit)
 *
 * Adds a figure.
 *
 * Since: 0.1
 */
void
jm_readings_add_value (JmReadings *self, const JmQuantity *quantity, guint64 value)
{
  JmMetric metric = jm_quantity_get_metric (quantity);

  g_return_if_fail (self != NULL);
  g_return_if_fail (metric < JM_N_METRICS);

  jm_readings_add (self, metric, value);
}

/**
 * jm_readings_add_labelled_value:
 * @self: readings
 * @quantity: what was read: see jm_quantity_of_subject()
 * @labels: values of the labels that the quantity's row names, such as the name of a
 *   device
 * @value: how much, in the quantity's own unit (see #JmUnit)
 *
 * Adds a figure of a quantity that has labels.
 *
 * Since: 0.1
 */
void
jm_readings_add_labelled_value (JmReadings *self,
                                const JmQuantity *quantity,
                                JmLabels *labels,
                                guint64 value)
{
  JmMetric metric = jm_quantity_get_metric (quantity);

  g_return_if_fail (self != NULL);
  g_return_if_fail (metric < JM_N_METRICS);

  jm_readings_add_labelled (self, metric, labels, value);
}

/* Adds a figure that a power source has of a domain. The label `source` stays empty:
 * whoever reads the source knows its name, and puts it in. */
void
jm_readings_add_for_domain (JmReadings *self,
                            JmMetric metric,
                            const char *domain,
                            guint64 value)
{
  g_return_if_fail (domain != NULL);

  jm_readings_add_detail (self, metric, domain, NULL, value);
}

void
jm_readings_add_detail (JmReadings *self,
                        JmMetric metric,
                        const char *domain,
                        const char *detail,
                        guint64 value)
{
  g_autoptr (JmLabels) labels = jm_labels_of ("", domain, detail, NULL);

  if (g_hash_table_size (self->domains) < MAX_DOMAINS &&
      !g_hash_table_contains (self->domains, labels))
    g_hash_table_add (self->domains, jm_labels_ref (labels));
  jm_readings_add_labelled (self, metric, labels, value);
}

/**
 * jm_readings_add_energy:
 * @self: readings
 * @domain: what the energy went into, such as `node`, `package-0` or `dram-1`; see
 *   #JmPowerDomain
 * @energy_uj: a counter that never goes back while the source is open, microjoules
 *
 * Adds what a power source has counted. Of a domain either the energy or the power is
 * reported; the power of a counter is found from two readings.
 *
 * Since: 0.1
 */
void
jm_readings_add_energy (JmReadings *self, const char *domain, guint64 energy_uj)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (domain != NULL);

  jm_readings_add_for_domain (self, JM_METRIC_NODE_ENERGY, domain, energy_uj);
}

/**
 * jm_readings_add_power:
 * @self: readings
 * @domain: what the power goes into, such as `node`
 * @power_uw: microwatts; what a meter shows without measuring, such as zero, is not
 *   reported
 *
 * Adds what a power source shows at the moment, from which energy is integrated.
 *
 * Since: 0.1
 */
void
jm_readings_add_power (JmReadings *self, const char *domain, guint64 power_uw)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (domain != NULL);

  jm_readings_add_for_domain (self, JM_METRIC_NODE_POWER, domain, power_uw);
}

/**
 * jm_readings_set_age:
 * @self: readings
 * @age_us: for how long the device has not been asked, microseconds
 *
 * Sets how old a power source's figures are, for one that asks its device in the
 * background.
 *
 * Since: 0.1
 */
void
jm_readings_set_age (JmReadings *self, guint64 age_us)
{
  g_return_if_fail (self != NULL);

  self->age_us = age_us;
}

guint64
jm_readings_get_age (JmReadings *self)
{
  return self->age_us;
}

/**
 * jm_readings_add_process:
 * @self: readings
 * @pid: process id, in the pid name space of the host's /proc
 *
 * Adds a process to the subject.
 *
 * Since: 0.1
 */
void
jm_readings_add_process (JmReadings *self, guint pid)
{
  g_array_append_val (self->processes, pid);
}

/**
 * jm_readings_add_cpus:
 * @self: readings
 * @list: CPUs as the kernel lists them, such as `0-3,8`
 *
 * Adds CPUs on which the subject may run: they say on which sockets it used energy.
 *
 * Since: 0.1
 */
void
jm_readings_add_cpus (JmReadings *self, const char *list)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (list != NULL);

  if (self->cpus->len > 0)
    g_string_append_c (self->cpus, ',');
  g_string_append (self->cpus, list);
  while (self->cpus->len > 0 && self->cpus->str[self->cpus->len - 1] == '\n')
    g_string_truncate (self->cpus, self->cpus->len - 1);
}

/* Forgets the CPUs, not the figures: they are handed on subject by subject. */
void
jm_readings_clear_cpus (JmReadings *self)
{
  g_string_truncate (self->cpus, 0);
  jm_readings_clear_placed (self);
}

void
jm_readings_clear_placed (JmReadings *self)
{
  g_array_set_size (self->placed, 0);
}

void
jm_readings_place (JmReadings *self, guint cpu, guint64 total_ns)
{
  if (cpu > MAX_CPU)
    return;
  if (cpu >= self->placed->len)
    g_array_set_size (self->placed, cpu + 1);

  g_array_index (self->placed, guint64, cpu) += total_ns;
}

const GArray *
jm_readings_get_placed (JmReadings *self)
{
  return self->placed;
}

const GString *
jm_readings_get_cpus (JmReadings *self)
{
  return self->cpus;
}

/* Forgets the processes, not the figures: they are handed on subject by subject. */
void
jm_readings_clear_processes (JmReadings *self)
{
  g_array_set_size (self->processes, 0);
}

/**
 * jm_readings_add_error:
 * @self: readings
 * @error: why something of the collector that was begun could not be read
 *
 * Reports a figure that is missing. %JM_ERROR_ABSENT is passed over: a job that ended
 * between list and read is normal, and so is a file that this kernel does not have.
 *
 * Since: 0.1
 */
void
jm_readings_add_error (JmReadings *self, const GError *error)
{
  gboolean is_denied = g_error_matches (error, JM_ERROR, JM_ERROR_DENIED);
  JmCollectorStatus *status;

  g_return_if_fail (self != NULL);
  g_return_if_fail (error != NULL);

  if (self->current == NO_COLLECTOR ||
      g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    return;

  status = &self->status[self->current];
  if (status->n_errors == status->n_denied && !is_denied)
    g_clear_error (&status->first_error);
  if (status->first_error == NULL)
    status->first_error = g_error_copy (error);
  status->n_errors++;
  status->n_denied += is_denied ? 1 : 0;
}

const JmReading *
jm_readings_get_values (JmReadings *self, guint *n_values)
{
  *n_values = self->values->len;

  return (const JmReading *) (gpointer) self->values->data;
}

const guint *
jm_readings_get_processes (JmReadings *self, guint *n_processes)
{
  *n_processes = self->processes->len;

  return (const guint *) (gpointer) self->processes->data;
}

const JmCollectorStatus *
jm_readings_get_status (JmReadings *self, JmCollector collector)
{
  return &self->status[collector];
}

/* The first value of @metric at or after position @from, or NULL. */
const JmReading *
jm_readings_find (JmReadings *self, guint from, JmMetric metric)
{
  for (guint i = from; i < self->values->len; i++)
    {
      const JmReading *reading = &g_array_index (self->values, JmReading, i);

      if (reading->metric == metric)
        return reading;
    }

  return NULL;
}

void
jm_readings_truncate (JmReadings *self, guint from)
{
  g_array_set_size (self->values, from);
}

/* Folds the later values like the one at @position into it; returns how many. */
static guint
fold_into (JmReadings *self, guint position)
{
  JmReading *first = &g_array_index (self->values, JmReading, position);
  guint n_folded = 0;

  for (guint i = self->values->len; i-- > position + 1;)
    {
      const JmReading *other = &g_array_index (self->values, JmReading, i);

      if (other->metric != first->metric || other->labels != first->labels)
        continue;

      first->value += other->value;
      g_array_remove_index (self->values, i);
      n_folded++;
    }

  return n_folded;
}

void
jm_readings_merge (JmReadings *self, guint from)
{
  guint i = from;

  while (i < self->values->len)
    {
      JmMetric metric = g_array_index (self->values, JmReading, i).metric;

      if (fold_into (self, i) > 0 && !jm_metric_get_info (metric)->additive)
        g_array_remove_index (self->values, i);
      else
        i++;
    }
}

void
jm_readings_keep_largest (JmReadings *self, guint from, JmMetric metric)
{
  JmReading *kept = NULL;

  for (guint i = from; i < self->values->len; i++)
    {
      JmReading *reading = &g_array_index (self->values, JmReading, i);

      if (reading->metric != metric)
        continue;
      if (kept == NULL)
        {
          kept = reading;
          continue;
        }

      kept->value = MAX (kept->value, reading->value);
      g_array_remove_index (self->values, i--);
    }
}

void
jm_readings_bound (JmReadings *self, guint from, JmMetric metric, guint max)
{
  guint n = 0;

  for (guint i = from; i < self->values->len; i++)
    n += g_array_index (self->values, JmReading, i).metric == metric;
  if (n <= max)
    return;

  for (guint i = self->values->len; i-- > from;)
    if (g_array_index (self->values, JmReading, i).metric == metric)
      g_array_remove_index (self->values, i);
}

gboolean
jm_reading_is_of_energy (const JmReading *self)
{
  JmCollector collector = jm_metric_get_info (self->metric)->collector;

  return collector == JM_COLLECTOR_POWER || collector == JM_COLLECTOR_EMISSIONS;
}

void
jm_readings_raise (JmReadings *self, guint i, guint64 by)
{
  g_array_index (self->values, JmReading, i).value += by;
}

void
jm_readings_add_copies (JmReadings *self, const JmReading *values, guint n_values)
{
  for (guint i = 0; i < n_values; i++)
    if (values[i].labels != NULL)
      jm_readings_add_labelled (self, values[i].metric, values[i].labels,
                                values[i].value);
    else
      jm_readings_add (self, values[i].metric, values[i].value);
}
