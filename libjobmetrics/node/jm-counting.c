/* jm-counting.c: that a source counts what a cgroup does
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-counting-private.h"

JmCounting *
jm_counting_new (JmCounterSource *source,
                 const char *dir,
                 JmCounting *others,
                 GError **error)
{
  gpointer cgroup = jm_counter_source_open_cgroup (source, dir, error);
  JmCounting *self;

  if (cgroup == NULL)
    return NULL;

  self = g_new0 (JmCounting, 1);
  self->source = g_object_ref (source);
  self->cgroup = cgroup;
  self->next = others;

  return self;
}

JmCounting *
jm_counting_find (JmCounting *self, JmCounterSource *source)
{
  while (self != NULL && self->source != source)
    self = self->next;

  return self;
}

void
jm_counting_free (JmCounting *self)
{
  while (self != NULL)
    {
      JmCounting *next = self->next;

      jm_counter_source_close_cgroup (self->source, self->cgroup);
      g_object_unref (self->source);
      g_free (self);
      self = next;
    }
}
