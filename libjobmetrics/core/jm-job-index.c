/* jm-job-index.c: the jobs of a snapshot by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-index-private.h"

#include "core/jm-job-private.h"

typedef struct
{
  guint hash; /* of a name */
  guint subject;
} Entry;

struct _JmJobIndex
{
  GArray *entries; /* of Entry: by hash, of equal ones the last subject first */
};

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *one = a;
  const Entry *other = b;

  if (one->hash != other->hash)
    return one->hash < other->hash ? -1 : 1;

  return one->subject > other->subject ? -1 : one->subject < other->subject;
}

JmJobIndex *
jm_job_index_new (const JmSubject *subjects, guint n_subjects)
{
  JmJobIndex *self = g_new0 (JmJobIndex, 1);

  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  for (guint i = 0; i < n_subjects; i++)
    {
      guint hashes[JM_JOB_MAX_NAMES];
      guint n = 0;

      if (subjects[i].kind == JM_SUBJECT_KIND_JOB)
        n = jm_job_hash_names (subjects[i].job, hashes);
      for (guint j = 0; j < n; j++)
        {
          Entry entry = { hashes[j], i };

          g_array_append_val (self->entries, entry);
        }
    }
  g_array_sort (self->entries, compare_entries);

  return self;
}

void
jm_job_index_free (JmJobIndex *self)
{
  g_array_unref (self->entries);
  g_free (self);
}

static const Entry *
get_entry (const JmJobIndex *self, guint position)
{
  return &g_array_index (self->entries, Entry, position);
}

/* Where the first entry of that hash is, or would be. */
static guint
find_hash (const JmJobIndex *self, guint hash, guint *n_compared)
{
  guint low = 0;
  guint high = self->entries->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      (*n_compared)++;
      if (get_entry (self, middle)->hash < hash)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}

gboolean
jm_job_index_find (const JmJobIndex *self,
                   const JmSubject *subjects,
                   const char *id,
                   guint *subject,
                   guint *n_compared)
{
  guint hash = jm_job_hash_name (id);

  *n_compared = 0;
  for (guint i = find_hash (self, hash, n_compared);
       i < self->entries->len && get_entry (self, i)->hash == hash; i++)
    {
      (*n_compared)++;
      if (!jm_job_is_called (subjects[get_entry (self, i)->subject].job, id))
        continue;

      *subject = get_entry (self, i)->subject;
      return TRUE;
    }

  return FALSE;
}
