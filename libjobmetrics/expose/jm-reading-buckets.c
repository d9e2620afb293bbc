/* jm-reading-buckets.c: the readings of a snapshot by what they are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-reading-buckets-private.h"

void
jm_reading_buckets_init (JmReadingBuckets *self)
{
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->subjects = g_array_new (FALSE, FALSE, sizeof (guint));
}

void
jm_reading_buckets_clear (JmReadingBuckets *self)
{
  g_clear_pointer (&self->order, g_array_unref);
  g_clear_pointer (&self->subjects, g_array_unref);
}

/* A counting sort of @n numbers, each of the bucket that @get_bucket says. */
static void
sort (guint *first,
      guint n_buckets,
      GArray *order,
      guint n,
      guint (*get_bucket) (const void *what, guint number),
      const void *what)
{
  for (guint i = 0; i <= n_buckets; i++)
    first[i] = 0;
  for (guint i = 0; i < n; i++)
    first[get_bucket (what, i) + 1]++;
  for (guint i = 0; i < n_buckets; i++)
    first[i + 1] += first[i];

  g_array_set_size (order, n);
  for (guint i = 0; i < n; i++)
    g_array_index (order, guint, first[get_bucket (what, i)]++) = i;

  /* each first has moved to where the next one was */
  for (guint i = n_buckets; i > 0; i--)
    first[i] = first[i - 1];
  first[0] = 0;
}

typedef struct
{
  const JmSubject *subjects;
  const JmReading *readings;
} Content;

static guint
get_bucket_of_reading (const void *what, guint number)
{
  const Content *content = what;
  const JmReading *reading = &content->readings[number];

  return JM_BUCKET (content->subjects[reading->subject].kind, reading->metric);
}

static guint
get_bucket_of_subject (const void *what, guint number)
{
  return ((const Content *) what)->subjects[number].kind;
}

/* Readings come by subject, families are written by metric. */
void
jm_reading_buckets_sort (JmReadingBuckets *self, JmSnapshot *snapshot)
{
  guint n_subjects, n_readings;
  const Content content = { jm_snapshot_get_subjects (snapshot, &n_subjects),
                            jm_snapshot_get_readings (snapshot, &n_readings) };

  sort (self->first_subject, JM_N_SUBJECT_KINDS, self->subjects, n_subjects,
        get_bucket_of_subject, &content);
  sort (self->first, JM_N_BUCKETS, self->order, n_readings, get_bucket_of_reading,
        &content);
}
