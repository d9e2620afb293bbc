/* jm-socket-gaps.c: for how long meters of a job's sockets could not be read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/energy/jm-socket-gaps-private.h"

typedef struct
{
  JmEnergyPart part;
  guint socket;
  JmLabels *labels;
  gint64 unread_us;
} Gap;

struct _JmSocketGaps
{
  GArray *gaps; /* of Gap */
};

static void
gap_clear (gpointer gap)
{
  jm_labels_unref (((Gap *) gap)->labels);
}

JmSocketGaps *
jm_socket_gaps_new (void)
{
  JmSocketGaps *self = g_new (JmSocketGaps, 1);

  self->gaps = g_array_new (FALSE, FALSE, sizeof (Gap));
  g_array_set_clear_func (self->gaps, gap_clear);

  return self;
}

void
jm_socket_gaps_free (JmSocketGaps *self)
{
  g_array_unref (self->gaps);
  g_free (self);
}

JmSocketGaps *
jm_socket_gaps_copy (const JmSocketGaps *self)
{
  JmSocketGaps *copy = jm_socket_gaps_new ();

  g_array_append_vals (copy->gaps, self->gaps->data, self->gaps->len);
  for (guint i = 0; i < copy->gaps->len; i++)
    jm_labels_ref (g_array_index (copy->gaps, Gap, i).labels);

  return copy;
}

static JmLabels *
make_labels (JmEnergyPart part, guint socket)
{
  char digits[sizeof "4294967295"];

  g_snprintf (digits, sizeof digits, "%u", socket);

  return jm_labels_of (jm_energy_kind_get_part (part), digits, NULL);
}

static Gap *
get_gap (JmSocketGaps *self, JmEnergyPart part, guint socket)
{
  Gap gap = { part, socket, NULL, 0 };

  for (guint i = 0; i < self->gaps->len; i++)
    {
      Gap *other = &g_array_index (self->gaps, Gap, i);

      if (other->part == part && other->socket == socket)
        return other;
    }
  gap.labels = make_labels (part, socket);
  g_array_append_val (self->gaps, gap);

  return &g_array_index (self->gaps, Gap, self->gaps->len - 1);
}

void
jm_socket_gaps_add (JmSocketGaps *self,
                    JmEnergyPart part,
                    guint socket,
                    gint64 unread_us)
{
  get_gap (self, part, socket)->unread_us += unread_us;
}

guint
jm_socket_gaps_get_size (const JmSocketGaps *self)
{
  return self->gaps->len;
}

gint64
jm_socket_gaps_get (const JmSocketGaps *self,
                    guint i,
                    JmEnergyPart *part,
                    guint *socket)
{
  const Gap *gap = &g_array_index (self->gaps, Gap, i);

  *part = gap->part;
  *socket = gap->socket;

  return gap->unread_us;
}

void
jm_socket_gaps_tell (const JmSocketGaps *self, JmReadings *readings)
{
  for (guint i = 0; i < self->gaps->len; i++)
    {
      const Gap *gap = &g_array_index (self->gaps, Gap, i);

      jm_readings_add_labelled (readings, JM_METRIC_ENERGY_UNREAD, gap->labels,
                                (guint64) gap->unread_us);
    }
}
