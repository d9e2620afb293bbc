/* jm-record-field.c: whatever is known of a record, by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/jm-record-field-private.h"

#include <math.h>

#include "core/jm-job-record-private.h"
#include "core/jm-number.h"
#include "report/jm-derived.h"
#include "report/jm-field-table-private.h"

#define ENERGY_PREFIX "energy"

static const JmFigure absent = { 0, FALSE, FALSE };

/* By #JmRecordFact. */
static const JmField facts[JM_N_RECORD_FACTS] = {
  [JM_RECORD_FACT_STATE] = { .name = "state",
                             .title = "STATE",
                             .help = "running, ended, or lost: nobody saw its end.",
                             .quantity = JM_FORMAT_TEXT },
  [JM_RECORD_FACT_NODE] = { .name = "node",
                            .title = "NODE",
                            .help = "Name of the node on which it ran.",
                            .quantity = JM_FORMAT_TEXT },
  [JM_RECORD_FACT_POSITION] = { .name = "position",
                                .title = "POSITION",
                                .help = "Its place in the ledger, which only grows.",
                                .quantity = JM_FORMAT_COUNT },
  [JM_RECORD_FACT_KEY] = { .name = "key",
                           .title = "KEY",
                           .help = "The same wherever the record is kept.",
                           .quantity = JM_FORMAT_TEXT },
  [JM_RECORD_FACT_BEGIN_TIME] = { .name = "begin_time",
                                  .short_name = "began",
                                  .title = "BEGAN",
                                  .help = "When it began on the node.",
                                  .quantity = JM_FORMAT_TIME },
  [JM_RECORD_FACT_END_TIME] = { .name = "end_time",
                                .short_name = "ended",
                                .title = "ENDED",
                                .help = "When it was seen to have ended.",
                                .quantity = JM_FORMAT_TIME },
  [JM_RECORD_FACT_ELAPSED] = { .name = "elapsed_seconds",
                               .short_name = "elapsed",
                               .title = "ELAPSED",
                               .help = "From its begin to its end, or to when it was "
                                       "read last.",
                               .quantity = JM_FORMAT_DURATION },
  [JM_RECORD_FACT_EFFICIENCY] = { .name = "efficiency_percent",
                                  .short_name = "eff",
                                  .title = "EFF%",
                                  .help = "CPU time as a share of what could have "
                                          "been spent.",
                                  .quantity = JM_FORMAT_PERCENT },
  [JM_RECORD_FACT_LIFE_OBSERVED] = { .name = "life_observed_percent",
                                     .short_name = "observed",
                                     .title = "OBSERVED%",
                                     .help = "How much of its life was observed.",
                                     .quantity = JM_FORMAT_PERCENT },
  [JM_RECORD_FACT_CPU_OBSERVED] = { .name = "cpu_observed_percent",
                                    .title = "CPU-OBSERVED%",
                                    .help = "How much of its CPU time was observed.",
                                    .quantity = JM_FORMAT_PERCENT },
  [JM_RECORD_FACT_ENERGY_OBSERVED] = { .name = "energy_observed_percent",
                                       .title = "ENERGY-OBSERVED%",
                                       .help = "How much of its energy was observed, "
                                               "where least of it was.",
                                       .quantity = JM_FORMAT_PERCENT },
  [JM_RECORD_FACT_CPU_METHOD] = { .name = "cpu_method",
                                  .title = "CPU-METHOD",
                                  .help = "How its CPU time was got: final, last or "
                                          "checkpoint.",
                                  .quantity = JM_FORMAT_TEXT },
};

/* Fields that a record has no use for: it is whole, and has times of its own. */
static const char *const superseded[] = { "step", "age_seconds", "time" };

static JmRecordFact
find_fact (const char *name)
{
  for (JmRecordFact i = JM_RECORD_FACT_NONE + 1; i < JM_N_RECORD_FACTS; i++)
    if (jm_field_is_called (&facts[i], name))
      return i;

  return JM_RECORD_FACT_NONE;
}

static gboolean
is_superseded (const JmField *field)
{
  for (guint i = 0; i < G_N_ELEMENTS (superseded); i++)
    if (g_str_equal (field->name, superseded[i]))
      return TRUE;

  return find_fact (field->name) != JM_RECORD_FACT_NONE;
}

/* Whether there is one that is called so, by its name, its short name or its title. */
gboolean
jm_record_field_from_name (const char *name, JmRecordField *field)
{
  field->fact = find_fact (name);
  field->field = field->fact != JM_RECORD_FACT_NONE ? &facts[field->fact]
                                                    : jm_field_from_name (name);

  return field->field != NULL &&
         (field->fact != JM_RECORD_FACT_NONE || !is_superseded (field->field));
}

/* All that there are: what records have, then the fields of jobs. */
GArray *
jm_record_field_list (void)
{
  g_autoptr (GPtrArray) fields = jm_field_list ();
  GArray *list = g_array_new (FALSE, FALSE, sizeof (JmRecordField));

  for (JmRecordFact i = JM_RECORD_FACT_NONE + 1; i < JM_N_RECORD_FACTS; i++)
    {
      const JmRecordField field = { i, &facts[i] };

      g_array_append_val (list, field);
    }
  for (guint i = 0; i < fields->len; i++)
    {
      const JmRecordField field = { JM_RECORD_FACT_NONE, fields->pdata[i] };

      if (!is_superseded (field.field))
        g_array_append_val (list, field);
    }

  return list;
}

/* --- figures --- */

static JmFigure
make_time (gint64 time_us)
{
  return time_us > 0 ? jm_figure_known ((double) time_us / G_USEC_PER_SEC) : absent;
}

/* A clock that was set back is no length of time. */
static JmFigure
get_elapsed (JmJobRecord *record)
{
  const gint64 begin_us = jm_job_record_get_begin_time (record);
  const gint64 end_us = jm_job_record_get_end_time (record);
  const gint64 last_us = end_us > 0 ? end_us : jm_job_record_get_seen_time (record);

  if (begin_us <= 0 || last_us < begin_us)
    return absent;

  return jm_figure_known ((double) (last_us - begin_us) / G_USEC_PER_SEC);
}

static JmFigure
get_efficiency (JmJobRecord *record)
{
  JmSnapshot *snapshot = jm_job_record_get_snapshot (record);

  return jm_derived_compute_efficiency (jm_figure_of_metric (snapshot,
                                                             JM_RECORD_SUBJECT,
                                                             JM_METRIC_CPU_TOTAL),
                                        jm_figure_of_metric (snapshot,
                                                             JM_RECORD_SUBJECT,
                                                             JM_METRIC_CPUS),
                                        get_elapsed (record));
}

static JmFigure
make_percent (double ratio)
{
  return isnan (ratio) ? absent : jm_figure_known (100 * ratio);
}

/* Where the least of it was observed: that much at least is known of all. */
static JmFigure
get_energy_observed (JmJobRecord *record)
{
  guint n;
  const JmCoverage *all = jm_job_record_get_coverages (record, &n);
  double least = NAN;

  for (guint i = 0; i < n; i++)
    if (g_str_has_prefix (all[i].what, ENERGY_PREFIX) &&
        (isnan (least) || all[i].ratio < least))
      least = all[i].ratio;

  return make_percent (least);
}

static JmFigure
get_fact_figure (JmRecordFact fact, JmJobRecord *record)
{
  const guint64 position = jm_job_record_get_position (record);

  switch (fact)
    {
    case JM_RECORD_FACT_POSITION:
      return position > 0 ? jm_figure_known ((double) position) : absent;
    case JM_RECORD_FACT_BEGIN_TIME:
      return make_time (jm_job_record_get_begin_time (record));
    case JM_RECORD_FACT_END_TIME:
      return make_time (jm_job_record_get_end_time (record));
    case JM_RECORD_FACT_ELAPSED:
      return get_elapsed (record);
    case JM_RECORD_FACT_EFFICIENCY:
      return get_efficiency (record);
    case JM_RECORD_FACT_LIFE_OBSERVED:
      return make_percent (jm_job_record_get_coverage (record, "life"));
    case JM_RECORD_FACT_CPU_OBSERVED:
      return make_percent (jm_job_record_get_coverage (record, "cpu"));
    case JM_RECORD_FACT_ENERGY_OBSERVED:
      return get_energy_observed (record);
    case JM_RECORD_FACT_NONE:
    case JM_RECORD_FACT_STATE:
    case JM_RECORD_FACT_NODE:
    case JM_RECORD_FACT_KEY:
    case JM_RECORD_FACT_CPU_METHOD:
    default:
      return absent;
    }
}

/* Absent where it is not known, and of text. */
JmFigure
jm_record_field_get_figure (const JmRecordField *self, JmJobRecord *record)
{
  if (self->fact != JM_RECORD_FACT_NONE)
    return get_fact_figure (self->fact, record);

  return jm_field_get_figure (self->field, jm_job_record_get_snapshot (record),
                              JM_RECORD_SUBJECT);
}

/* --- text --- */

static const char *
get_fact_text (JmRecordFact fact, JmJobRecord *record)
{
  switch (fact)
    {
    case JM_RECORD_FACT_STATE:
      return jm_run_state_get_name (jm_job_record_get_state (record));
    case JM_RECORD_FACT_NODE:
      return jm_job_record_get_node (record);
    case JM_RECORD_FACT_KEY:
      return jm_job_record_get_key (record);
    case JM_RECORD_FACT_CPU_METHOD:
      return jm_total_method_get_name (jm_job_record_get_method (record, "cpu"));
    default:
      return NULL;
    }
}

char *
jm_record_field_format (const JmRecordField *self, JmJobRecord *record)
{
  if (self->fact == JM_RECORD_FACT_NONE)
    return jm_field_format (self->field, jm_job_record_get_snapshot (record),
                            JM_RECORD_SUBJECT);
  if (self->field->quantity == JM_FORMAT_TEXT)
    return g_strdup (get_fact_text (self->fact, record));

  return jm_figure_format (get_fact_figure (self->fact, record), self->field->quantity);
}

char *
jm_record_field_to_string (const JmRecordField *self, JmJobRecord *record)
{
  JmFigure figure;

  if (self->fact == JM_RECORD_FACT_NONE)
    return jm_field_to_string (self->field, jm_job_record_get_snapshot (record),
                               JM_RECORD_SUBJECT);
  if (self->field->quantity == JM_FORMAT_TEXT)
    return g_strdup (get_fact_text (self->fact, record));

  figure = get_fact_figure (self->fact, record);

  return figure.is_known ? jm_number_to_string (figure.value) : NULL;
}
