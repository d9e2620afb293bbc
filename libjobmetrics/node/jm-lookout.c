/* jm-lookout.c: the jobs that are looked at between two rounds
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-job-tracker-private.h"

/* Births of one job come in a row, and so do the deaths of what is below it. */
#define SHORTEST_PAUSE_US (2 * 1000)
/* Behind it the rounds do. */
#define LONGEST_PAUSE_US (600 * 1000)

typedef struct
{
  gint64 due_us;
  gint64 seen_us; /* when it was looked at last; 0 for never */
  gint64 pause_us;
  guint n_seen; /* since something happened to it */
} Look;

struct _JmLookout
{
  GHashTable *looks; /* JmTrackedJob -> Look; few at any time */
};

JmLookout *
jm_lookout_new (void)
{
  JmLookout *self = g_new0 (JmLookout, 1);

  self->looks = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  return self;
}

void
jm_lookout_free (JmLookout *self)
{
  g_hash_table_unref (self->looks);
  g_free (self);
}

void
jm_lookout_add (JmLookout *self, JmTrackedJob *job, gint64 now_us)
{
  Look *look = g_hash_table_lookup (self->looks, job);

  if (look == NULL)
    {
      look = g_new0 (Look, 1);
      g_hash_table_insert (self->looks, job, look);
    }

  look->pause_us = SHORTEST_PAUSE_US;
  look->n_seen = 0;
  look->due_us =
    look->seen_us == 0 ? now_us : MAX (now_us, look->seen_us + SHORTEST_PAUSE_US);
}

void
jm_lookout_remove (JmLookout *self, JmTrackedJob *job)
{
  g_hash_table_remove (self->looks, job);
}

JmTrackedJob *
jm_lookout_take (JmLookout *self, gint64 now_us)
{
  GHashTableIter iter;
  gpointer job, value;

  g_hash_table_iter_init (&iter, self->looks);
  while (g_hash_table_iter_next (&iter, &job, &value))
    {
      Look *look = value;

      if (look->due_us > now_us)
        continue;

      look->seen_us = now_us;
      look->due_us = now_us + look->pause_us;
      look->n_seen++;
      look->pause_us *= 2;
      if (look->pause_us > LONGEST_PAUSE_US)
        g_hash_table_iter_remove (&iter);
      return job;
    }

  return NULL;
}

gboolean
jm_lookout_has_seen (const JmLookout *self, JmTrackedJob *job)
{
  const Look *look = g_hash_table_lookup (self->looks, job);

  return look == NULL || look->n_seen >= 2;
}

gint64
jm_lookout_get_next (const JmLookout *self)
{
  gint64 next_us = G_MAXINT64;
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->looks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    next_us = MIN (next_us, ((const Look *) value)->due_us);

  return next_us;
}
