/* jm-series-set.c: texts that were written already
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-series-set-private.h"

#include <string.h>

#define FIRST_SIZE 64

typedef struct
{
  guint round;
  guint hash;
  gsize offset;
  gsize length;
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

/* FNV-1a */
static guint
hash_bytes (const char *bytes, gsize length)
{
  guint hash = 2166136261u;

  for (gsize i = 0; i < length; i++)
    hash = (hash ^ (guint8) bytes[i]) * 16777619u;

  return hash;
}

static gboolean
slot_is (const Slot *a, const Slot *b, const GString *text)
{
  return a->hash == b->hash && a->length == b->length &&
         memcmp (text->str + a->offset, text->str + b->offset, a->length) == 0;
}

/* Finds the slot that holds the same text, or else the free one that it belongs in. */
static Slot *
find_slot (JmSeriesSet *self, const Slot *wanted, const GString *text)
{
  guint mask = self->slots->len - 1;
  guint i = wanted->hash & mask;

  for (;;)
    {
      Slot *slot = &g_array_index (self->slots, Slot, i);

      if (slot->round != self->round || slot_is (slot, wanted, text))
        return slot;
      i = (i + 1) & mask;
    }
}

static void
grow (JmSeriesSet *self, const GString *text)
{
  g_autoptr (GArray) old = g_steal_pointer (&self->slots);

  self->slots = new_slots (old->len * 2);
  for (guint i = 0; i < old->len; i++)
    {
      Slot *slot = &g_array_index (old, Slot, i);

      if (slot->round == self->round)
        *find_slot (self, slot, text) = *slot;
    }
}

gboolean
jm_series_set_add (JmSeriesSet *self, const GString *text, gsize offset)
{
  gsize length = text->len - offset;
  Slot wanted = { self->round, hash_bytes (text->str + offset, length), offset,
                  length };
  Slot *slot;

  if ((self->n_used + 1) * 2 > self->slots->len)
    grow (self, text);

  slot = find_slot (self, &wanted, text);
  if (slot->round == self->round)
    return FALSE;

  *slot = wanted;
  self->n_used++;

  return TRUE;
}
