/* jm-placement.c: on which CPUs a job was seen of late
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-energy-account-private.h"

/* What was seen counts three quarters of it in the next round. */
#define KEEP(ns) ((ns) / 4 * 3)

struct _JmPlacement
{
  GArray *total_ns;  /* of guint64, by CPU: as reported last */
  GArray *recent_ns; /* the same */
  gboolean has_begun;
};

JmPlacement *
jm_placement_new (void)
{
  JmPlacement *self = g_new0 (JmPlacement, 1);

  self->total_ns = g_array_new (FALSE, TRUE, sizeof (guint64));
  self->recent_ns = g_array_new (FALSE, TRUE, sizeof (guint64));

  return self;
}

void
jm_placement_free (JmPlacement *self)
{
  g_array_unref (self->total_ns);
  g_array_unref (self->recent_ns);
  g_free (self);
}

void
jm_placement_take (JmPlacement *self,
                   const guint64 *total_ns,
                   guint n,
                   gboolean is_whole)
{
  gboolean is_known = self->has_begun || is_whole;

  if (n == 0)
    return;

  g_array_set_size (self->total_ns, MAX (n, self->total_ns->len));
  g_array_set_size (self->recent_ns, MAX (n, self->recent_ns->len));
  for (guint i = 0; i < self->recent_ns->len; i++)
    g_array_index (self->recent_ns, guint64, i) =
      KEEP (g_array_index (self->recent_ns, guint64, i));
  for (guint i = 0; i < n; i++)
    {
      guint64 *before_ns = &g_array_index (self->total_ns, guint64, i);
      guint64 *recent_ns = &g_array_index (self->recent_ns, guint64, i);

      if (is_known && total_ns[i] > *before_ns)
        *recent_ns += total_ns[i] - *before_ns;
      *before_ns = total_ns[i];
    }
  self->has_begun = TRUE;
}

void
jm_placement_restore (JmPlacement *self, guint cpu, guint64 recent_ns)
{
  if (cpu >= self->recent_ns->len)
    g_array_set_size (self->recent_ns, cpu + 1);
  g_array_index (self->recent_ns, guint64, cpu) = recent_ns;
}

const guint64 *
jm_placement_get (JmPlacement *self, guint *n)
{
  *n = self->recent_ns->len;

  return (const guint64 *) (gpointer) self->recent_ns->data;
}
