/* jm-cluster-teller.c: figures about the parts of a cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "cluster/jm-cluster-teller-private.h"

/* Names behind that of the cluster. */
#define NAMES_MAX 3
/* What an integer of 64 bits has no place for. */
#define REAL_MAX 18446744073709551616.0

void
jm_cluster_teller_begin (const JmClusterTeller *self,
                         JmSubjectKind kind,
                         const char *const *names)
{
  const char *values[NAMES_MAX + 2] = { self->cluster };
  JmSubject subject = { .kind = kind, .parent = self->parent };
  guint number = self->subjects->len;

  for (guint i = 0; i < NAMES_MAX && names[i] != NULL; i++)
    values[i + 1] = names[i];
  subject.labels = jm_labels_new (values);
  g_array_append_val (self->subjects, subject);
  jm_readings_set_subject (self->readings, number);
}

static gboolean
get_value (const JmClusterField *field, gconstpointer record, guint64 *value)
{
  gconstpointer place = (const char *) record + field->offset;
  guint64 divisor =
    jm_unit_get_info (jm_metric_get_info (field->metric)->unit)->divisor;
  double real;

  if (field->kind == JM_CLUSTER_FIELD_REAL)
    {
      real = *(const double *) place * (double) divisor;
      if (!(real >= 0 && real < REAL_MAX))
        return FALSE;
      *value = (guint64) (real + 0.5);
      return TRUE;
    }

  if (*(const gint64 *) place < (field->kind == JM_CLUSTER_FIELD_MOMENT))
    return FALSE;
  *value = *(const guint64 *) place;
  if (*value > G_MAXUINT64 / divisor)
    return FALSE;
  *value *= divisor;

  return TRUE;
}

gboolean
jm_cluster_teller_has (const JmClusterField *fields,
                       guint n_fields,
                       gconstpointer record)
{
  guint64 value;

  for (guint i = 0; i < n_fields; i++)
    if (get_value (&fields[i], record, &value))
      return TRUE;

  return FALSE;
}

void
jm_cluster_teller_tell (const JmClusterTeller *self,
                        const JmClusterField *fields,
                        guint n_fields,
                        gconstpointer record,
                        JmLabels *labels)
{
  guint64 value;

  for (guint i = 0; i < n_fields; i++)
    {
      if (!get_value (&fields[i], record, &value))
        continue;
      if (labels != NULL)
        jm_readings_add_labelled (self->readings, fields[i].metric, labels, value);
      else
        jm_readings_add (self->readings, fields[i].metric, value);
    }
}
