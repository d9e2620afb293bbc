/* jme-body.c: what a reply says, for as many clients as hear the same
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-body.h"

#include "web/jme-gzip.h"

/* A body that fits into one packet gains nothing. */
#define MIN_PACKED_BYTES 1024

struct _JmeBody
{
  GBytes *plain;
  GBytes *packed; /* NULL before somebody asked for it */
};

JmeBody *
jme_body_new (GBytes *plain)
{
  JmeBody *self = g_atomic_rc_box_new0 (JmeBody);

  self->plain = g_bytes_ref (plain);

  return self;
}

JmeBody *
jme_body_ref (JmeBody *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  JmeBody *self = data;

  g_bytes_unref (self->plain);
  g_clear_pointer (&self->packed, g_bytes_unref);
}

void
jme_body_unref (JmeBody *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

GBytes *
jme_body_get_plain (JmeBody *self)
{
  return self->plain;
}

GBytes *
jme_body_get_packed (JmeBody *self)
{
  if (self->packed == NULL && g_bytes_get_size (self->plain) >= MIN_PACKED_BYTES)
    self->packed = jme_gzip (self->plain);

  return self->packed;
}
