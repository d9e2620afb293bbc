/* jm-gpu-shelf.c: what a library keeps of each of its devices
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-gpu-shelf-private.h"

void
jm_gpu_shelf_init (JmGpuShelf *self)
{
  g_mutex_init (&self->mutex);
  self->records = NULL;
}

void
jm_gpu_shelf_clear (JmGpuShelf *self)
{
  g_clear_pointer (&self->records, g_ptr_array_unref);
  g_mutex_clear (&self->mutex);
}

void
jm_gpu_shelf_put (JmGpuShelf *self, GPtrArray *records)
{
  GPtrArray *before;

  g_mutex_lock (&self->mutex);
  before = self->records;
  self->records = records;
  g_mutex_unlock (&self->mutex);

  /* outside, for closing files may take long */
  g_clear_pointer (&before, g_ptr_array_unref);
}

static GPtrArray *
ref_records (JmGpuShelf *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->records != NULL ? g_ptr_array_ref (self->records) : NULL;
}

gpointer
jm_gpu_shelf_find (JmGpuShelf *self, JmGpu *gpu, GPtrArray **hold)
{
  *hold = ref_records (self);

  for (guint i = 0; *hold != NULL && i < (*hold)->len; i++)
    if (*(JmGpu **) (*hold)->pdata[i] == gpu)
      return (*hold)->pdata[i];

  return NULL;
}
