/* jm-readings-private.h: the readings' records, for those who put them together
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-collector-set.h"
#include "core/jm-metric-private.h"
#include "core/jm-readings.h"

G_BEGIN_DECLS

/* One figure. The array that holds it owns a reference of its labels. */
typedef struct
{
  guint32 subject;
  guint32 metric;   /* JmMetric */
  guint64 value;    /* in the metric's own integer unit */
  JmLabels *labels; /* as many as the metric's row names; NULL for none */
} JmReading;

/* Energy is accounted for in every sweep, be its subject read or not. */
gboolean jm_reading_is_of_energy (const JmReading *self);

/* How a collector fared in one sweep. */
typedef struct
{
  guint64 duration_ns;
  guint n_errors;
  guint n_denied;      /* errors that are but a lacking right */
  GError *first_error; /* owned, NULL without errors; a lacking right only where there
                        * is nothing else */
} JmCollectorStatus;

void jm_readings_reset (JmReadings *self, const JmCollectorSet *collectors);
/* A number of the round that jm_readings_reset() began, which no other one has; never
 * 0.
 */
guint64 jm_readings_get_round (JmReadings *self);
void jm_readings_set_subject (JmReadings *self, guint subject);

void jm_readings_clear_processes (JmReadings *self);
void jm_readings_clear_cpus (JmReadings *self);

const JmReading *jm_readings_get_values (JmReadings *self, guint *n_values);
const GString *jm_readings_get_cpus (JmReadings *self);

/* As jm_readings_add_value() and jm_readings_add_labelled_value() do. */
void jm_readings_add (JmReadings *self, JmMetric metric, guint64 value);
void jm_readings_add_labelled (JmReadings *self,
                               JmMetric metric,
                               JmLabels *labels,
                               guint64 value);

void jm_readings_add_for_domain (JmReadings *self,
                                 JmMetric metric,
                                 const char *domain,
                                 guint64 value);

/* As jm_readings_add_for_domain() does, of a metric with a third label. */
void jm_readings_add_detail (JmReadings *self,
                             JmMetric metric,
                             const char *domain,
                             const char *detail,
                             guint64 value);

/* Of the CPU time of the subject so much was on @cpu, as far as is known: a counter, of
 * which the differences count. They are forgotten with the list of CPUs. */
void jm_readings_place (JmReadings *self, guint cpu, guint64 total_ns);
void jm_readings_clear_placed (JmReadings *self);
const GArray *jm_readings_get_placed (JmReadings *self); /* of guint64, by CPU */
guint64 jm_readings_get_age (JmReadings *self);

const guint *jm_readings_get_processes (JmReadings *self, guint *n_processes);
const JmCollectorStatus *jm_readings_get_status (JmReadings *self,
                                                 JmCollector collector);
const JmReading *jm_readings_find (JmReadings *self, guint from, JmMetric metric);

/* Forgets the values from position @from on. */
void jm_readings_truncate (JmReadings *self, guint from);

/* Makes one value of several with the same metric and labels, from position @from on:
 * their sum where the metric allows it, else none, for nobody measured the whole. */
void jm_readings_merge (JmReadings *self, guint from);

/* Makes one value of several of @metric from position @from on, counters of the same
 * thing that were read in several ways: the largest. */
void jm_readings_keep_largest (JmReadings *self, guint from, JmMetric metric);

/* Forgets the values of @metric from position @from on if there are more than @max. */
void jm_readings_bound (JmReadings *self, guint from, JmMetric metric, guint max);

/* Makes the value at position @i larger. */
void jm_readings_raise (JmReadings *self, guint i, guint64 by);

/* Adds copies of @values, about the present subject. */
void jm_readings_add_copies (JmReadings *self, const JmReading *values, guint n_values);

JmReadings *jm_readings_ref (JmReadings *self);

G_END_DECLS
