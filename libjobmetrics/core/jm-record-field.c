/* jm-record-field.c: whatever is known of a record, by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-record-field-private.h"

#include <math.h>

#include "core/jm-derived.h"
#include "core/jm-field-table-private.h"
#include "core/jm-figure-private.h"
#include "core/jm-format.h"
#include "core/jm-job-record-private.h"

#define ENERGY_PREFIX "energy"

static const JmFigure absent = { 0, FALSE, FALSE };

static const JmQuantityId facts[] = {
  JM_QUANTITY_STATE,           JM_QUANTITY_NODE,
  JM_QUANTITY_POSITION,        JM_QUANTITY_KEY,
  JM_QUANTITY_BEGIN_TIME,      JM_QUANTITY_END_TIME,
  JM_QUANTITY_ELAPSED,         JM_QUANTITY_CPU_EFFICIENCY,
  JM_QUANTITY_LIFE_OBSERVED,   JM_QUANTITY_CPU_OBSERVED,
  JM_QUANTITY_ENERGY_OBSERVED, JM_QUANTITY_CPU_METHOD,
};

/* Fields that a record has no use for: it is whole, and has times of its own. */
static const JmQuantityId superseded[] = { JM_QUANTITY_STEP, JM_QUANTITY_AGE,
                                           JM_QUANTITY_TIME };

static const JmQuantity *
find_fact (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    if (jm_quantity_is_called (jm_quantity_get (facts[i]), name))
      return jm_quantity_get (facts[i]);

  return NULL;
}

static gboolean
is_superseded (const JmField *field)
{
  for (guint i = 0; i < G_N_ELEMENTS (superseded); i++)
    if (field->quantity == jm_quantity_get (superseded[i]))
      return TRUE;

  return find_fact (field->quantity->name) != NULL;
}

/* Whether there is one that is called so, by its name, its short name or its heading.
 */
gboolean
jm_record_field_from_name (const char *name, JmRecordField *field)
{
  const JmQuantity *fact = find_fact (name);
  const JmField *of_job = fact == NULL ? jm_field_from_name (name) : NULL;

  if (of_job != NULL)
    fact = is_superseded (of_job) ? NULL : of_job->quantity;
  *field = (JmRecordField){ fact, of_job };

  return fact != NULL;
}

/* All that there are: what records have, then the fields of jobs. */
GArray *
jm_record_field_list (void)
{
  g_autoptr (GPtrArray) fields = jm_field_list ();
  GArray *list = g_array_new (FALSE, FALSE, sizeof (JmRecordField));

  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    {
      const JmRecordField field = { jm_quantity_get (facts[i]), NULL };

      g_array_append_val (list, field);
    }
  for (guint i = 0; i < fields->len; i++)
    {
      const JmField *of_job = fields->pdata[i];
      const JmRecordField field = { of_job->quantity, of_job };

      if (!is_superseded (of_job))
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
get_fact_figure (const JmQuantity *fact, JmJobRecord *record)
{
  const guint64 position = jm_job_record_get_position (record);

  switch (jm_quantity_get_id (fact))
    {
    case JM_QUANTITY_POSITION:
      return position > 0 ? jm_figure_known ((double) position) : absent;
    case JM_QUANTITY_BEGIN_TIME:
      return make_time (jm_job_record_get_begin_time (record));
    case JM_QUANTITY_END_TIME:
      return make_time (jm_job_record_get_end_time (record));
    case JM_QUANTITY_ELAPSED:
      return get_elapsed (record);
    case JM_QUANTITY_CPU_EFFICIENCY:
      return get_efficiency (record);
    case JM_QUANTITY_LIFE_OBSERVED:
      return make_percent (jm_job_record_get_coverage (record, "life"));
    case JM_QUANTITY_CPU_OBSERVED:
      return make_percent (jm_job_record_get_coverage (record, "cpu"));
    case JM_QUANTITY_ENERGY_OBSERVED:
      return get_energy_observed (record);
    default:
      return absent;
    }
}

/* Absent where it is not known, and of text. */
JmFigure
jm_record_field_get_figure (const JmRecordField *self, JmJobRecord *record)
{
  if (self->field == NULL)
    return get_fact_figure (self->quantity, record);

  return jm_field_get_figure (self->field, jm_job_record_get_snapshot (record),
                              JM_RECORD_SUBJECT);
}

/* --- text --- */

static const char *
get_fact_text (const JmQuantity *fact, JmJobRecord *record)
{
  switch (jm_quantity_get_id (fact))
    {
    case JM_QUANTITY_STATE:
      return jm_run_state_get_name (jm_job_record_get_state (record));
    case JM_QUANTITY_NODE:
      return jm_job_record_get_node (record);
    case JM_QUANTITY_KEY:
      return jm_job_record_get_key (record);
    case JM_QUANTITY_CPU_METHOD:
      return jm_total_method_get_name (jm_job_record_get_method (record, "cpu"));
    default:
      return NULL;
    }
}

char *
jm_record_field_format (const JmRecordField *self, JmJobRecord *record)
{
  if (self->field != NULL)
    return jm_field_format (self->field, jm_job_record_get_snapshot (record),
                            JM_RECORD_SUBJECT);
  if (self->quantity->format == JM_FORMAT_TEXT)
    return g_strdup (get_fact_text (self->quantity, record));

  return jm_figure_format (get_fact_figure (self->quantity, record),
                           self->quantity->format);
}

char *
jm_record_field_to_string (const JmRecordField *self, JmJobRecord *record)
{
  JmFigure figure;

  if (self->field != NULL)
    return jm_field_to_string (self->field, jm_job_record_get_snapshot (record),
                               JM_RECORD_SUBJECT);
  if (self->quantity->format == JM_FORMAT_TEXT)
    return g_strdup (get_fact_text (self->quantity, record));

  figure = get_fact_figure (self->quantity, record);

  return figure.is_known ? jm_number_to_string (figure.value) : NULL;
}
