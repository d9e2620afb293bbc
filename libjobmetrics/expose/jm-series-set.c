/* jm-series-set.c: labels that were written already
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-series-set-private.h"

#include <string.h>

#define FIRST_SIZE 64

typedef struct
{
  JmLabels *labels; /* equal ones are one pointer */
  guint round;
} Slot;

static GArray *
new_slots (guint size)
{
  GArray *slots = g_array_sized_new (FALSE, TRUE, sizeof (Slot), size);

  return g_array_set_size (slots, size);
}

void
jm_series_set_init (JmSeriesSet *self)
{
  *self = (JmSeriesSet){ .slots = new_slots (FIRST_SIZE), .round = 1 };
}

void
jm_series_set_clear (JmSeriesSet *self)
{
  g_clear_pointer (&self->slots, g_array_unref);
}

void
jm_series_set_empty (JmSeriesSet *self)
{
  self->n_used = 0;
  self->round++;
  if (self->round == 0)
    {
      memset (self->slots->data, 0, self->slots->len * sizeof (Slot));
      self->round = 1;
    }
}

/* Finds the slot that holds the labels, or else the free one that they belong in. */
static Slot *
find_slot (JmSeriesSet *self, JmLabels *labels)
{
  guint mask = self->slots->len - 1;
  guint i = jm_labels_hash (labels) & mask;

  for (;;)
    {
      Slot *slot = &g_array_index (self->slots, Slot, i);

      if (slot->round != self->round || slot->labels == labels)
        return slot;
      i = (i + 1) & mask;
    }
}

static void
grow (JmSeriesSet *self)
{
  g_autoptr (GArray) old = g_steal_pointer (&self->slots);

  self->slots = new_slots (old->len * 2);
  for (guint i = 0; i < old->len; i++)
    {
      Slot *slot = &g_array_index (old, Slot, i);

      if (slot->round == self->round)
        *find_slot (self, slot->labels) = *slot;
    }
}

gboolean
jm_series_set_add (JmSeriesSet *self, JmLabels *labels)
{
  Slot *slot;

  if ((self->n_used + 1) * 2 > self->slots->len)
    grow (self);

  slot = find_slot (self, labels);
  if (slot->round == self->round)
    return FALSE;

  *slot = (Slot){ labels, self->round };
  self->n_used++;

  return TRUE;
}
