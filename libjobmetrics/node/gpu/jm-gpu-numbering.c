/* jm-gpu-numbering.c: which accelerator a name or a number means
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/gpu/jm-gpu-numbering-private.h"

#include <string.h>

#include "core/jm-gpu-private.h"

/* HTCondor shortens uuids to this. */
#define MIN_PART_OF_UUID (sizeof "GPU-12345678" - 1)
/* NVIDIA's older way to name an instance: its parent's uuid, and two numbers. */
#define OLD_INSTANCE "MIG-GPU-"

struct _JmGpuNumbering
{
  JmGpuRoll *roll;
  char **names;      /* of the order that is set, or NULL */
  GArray *order;     /* of guint: devices by the scheduler's number */
  GByteArray *there; /* of each device: whether it is, and whether it is divided */
  gboolean is_clear;
};

enum
{
  IS_THERE = 1,
  IS_DIVIDED = 2,
};

JmGpuNumbering *
jm_gpu_numbering_new (JmGpuRoll *roll, const char *const *order)
{
  JmGpuNumbering *self = g_new0 (JmGpuNumbering, 1);

  self->roll = roll;
  self->names = order != NULL && order[0] != NULL ? g_strdupv ((char **) order) : NULL;
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->there = g_byte_array_new ();

  return self;
}

void
jm_gpu_numbering_free (JmGpuNumbering *self)
{
  g_byte_array_unref (self->there);
  g_array_unref (self->order);
  g_strfreev (self->names);
  g_free (self);
}

/* --- what is there --- */

static gboolean
is_there (JmGpuNumbering *self, guint gpu)
{
  return (self->there->data[gpu] & IS_THERE) != 0;
}

gboolean
jm_gpu_numbering_is_divided (JmGpuNumbering *self, guint gpu)
{
  return (self->there->data[gpu] & IS_DIVIDED) != 0;
}

gboolean
jm_gpu_numbering_is_empty (JmGpuNumbering *self)
{
  for (guint i = 0; i < self->there->len; i++)
    if (is_there (self, i))
      return FALSE;

  return TRUE;
}

gboolean
jm_gpu_numbering_is_clear (JmGpuNumbering *self)
{
  return self->is_clear;
}

static guint8
look (JmGpuNumbering *self, guint gpu)
{
  guint8 seen = jm_gpu_roll_is_present (self->roll, gpu) ? IS_THERE : 0;

  for (guint i = gpu + 1; i < jm_gpu_roll_get_size (self->roll); i++)
    if (jm_gpu_roll_get_parent (self->roll, i) == gpu &&
        jm_gpu_roll_is_present (self->roll, i))
      return seen | IS_DIVIDED;

  return seen;
}

static gboolean
look_at_all (JmGpuNumbering *self)
{
  guint size = jm_gpu_roll_get_size (self->roll);
  gboolean has_changed = self->there->len != size;

  g_byte_array_set_size (self->there, size);
  for (guint i = 0; i < size; i++)
    {
      guint8 seen = look (self, i);

      has_changed |= self->there->data[i] != seen;
      self->there->data[i] = seen;
    }

  return has_changed;
}

/* --- the scheduler's numbers --- */

static void
add_device (JmGpuNumbering *self, guint gpu)
{
  if (!jm_gpu_numbering_is_divided (self, gpu))
    {
      g_array_append_val (self->order, gpu);
      return;
    }

  for (guint i = gpu + 1; i < self->there->len; i++)
    if (jm_gpu_roll_get_parent (self->roll, i) == gpu && is_there (self, i))
      g_array_append_val (self->order, i);
}

static gboolean
is_whole (JmGpuNumbering *self, guint gpu)
{
  return is_there (self, gpu) && jm_gpu_roll_get_parent (self->roll, gpu) == JM_NO_GPU;
}

static const char *
get_field (JmGpuNumbering *self, guint gpu, JmGpuField field)
{
  return jm_gpu_get_field (jm_gpu_roll_get_gpu (self->roll, gpu), field);
}

static gboolean
has_several_makers (JmGpuNumbering *self)
{
  guint first = JM_NO_GPU;

  for (guint i = 0; i < self->there->len; i++)
    if (!is_whole (self, i))
      continue;
    else if (first == JM_NO_GPU)
      first = i;
    else if (g_strcmp0 (get_field (self, first, JM_GPU_FIELD_VENDOR),
                        get_field (self, i, JM_GPU_FIELD_VENDOR)) != 0)
      return TRUE;

  return FALSE;
}

static void
put_in_order (JmGpuNumbering *self)
{
  g_array_set_size (self->order, 0);
  self->is_clear = self->names != NULL || !has_several_makers (self);

  for (guint i = 0; self->names != NULL && self->names[i] != NULL; i++)
    {
      guint gpu = jm_gpu_roll_find (self->roll, self->names[i]);

      g_array_append_val (self->order, gpu);
    }
  for (guint i = 0; self->names == NULL && self->is_clear && i < self->there->len; i++)
    if (is_whole (self, i))
      add_device (self, i);
}

gboolean
jm_gpu_numbering_refresh (JmGpuNumbering *self)
{
  if (!look_at_all (self))
    return FALSE;
  put_in_order (self);

  return TRUE;
}

/* A scheduler that finds the devices by itself numbers them as the driver does, one
 * that is given their files may do it by these. */
static guint
find_by_rank_of_file (JmGpuNumbering *self, guint rank)
{
  guint size = self->order->len;

  for (guint i = 0; i < size; i++)
    {
      guint gpu = g_array_index (self->order, guint, i);
      guint major, minor;
      guint n_before = 0;

      if (!jm_gpu_get_device_number (jm_gpu_roll_get_gpu (self->roll, gpu), &major,
                                     &minor))
        return JM_NO_GPU;
      for (guint j = 0; j < size; j++)
        {
          guint other = g_array_index (self->order, guint, j);
          guint its_major, its_minor;

          if (!jm_gpu_get_device_number (jm_gpu_roll_get_gpu (self->roll, other),
                                         &its_major, &its_minor) ||
              its_major != major)
            return JM_NO_GPU;
          n_before += its_minor < minor;
        }
      if (n_before == rank)
        return gpu;
    }

  return JM_NO_GPU;
}

static const char *
get_name (JmGpuNumbering *self, guint gpu)
{
  return jm_labels_get_value (jm_gpu_roll_get_labels (self->roll, gpu), 0);
}

char *
jm_gpu_numbering_find_doubt (JmGpuNumbering *self)
{
  for (guint i = 0; self->names == NULL && i < self->order->len; i++)
    {
      guint gpu = g_array_index (self->order, guint, i);
      guint by_file = find_by_rank_of_file (self, i);

      if (by_file == JM_NO_GPU)
        return NULL;
      if (by_file != gpu)
        return g_strdup_printf ("the scheduler's number %u is taken for GPU %s, by the "
                                "driver's order; by the order of device files it would "
                                "be GPU %s: where the scheduler goes by these, "
                                "gpu.order has to say so",
                                i, get_name (self, gpu), get_name (self, by_file));
    }

  return NULL;
}

/* --- names --- */

/* Its parent's uuid, the number of the GPU instance, and that of the compute instance;
 * instances are called by their parent's name and the first of the two numbers. */
static guint
find_old_instance (JmGpuNumbering *self, const char *device)
{
  g_auto (GStrv) parts = g_strsplit (device + strlen ("MIG-"), "/", 3);
  g_autofree char *name = NULL;
  guint parent;

  if (g_strv_length (parts) < 2)
    return JM_NO_GPU;
  parent = jm_gpu_roll_find (self->roll, parts[0]);
  if (parent == JM_NO_GPU)
    return JM_NO_GPU;

  name = g_strconcat (get_name (self, parent), ".", parts[1], NULL);

  return jm_gpu_roll_find (self->roll, name);
}

/* CUDA takes the beginning of a uuid where it is that of one device alone. */
static guint
find_by_part (JmGpuNumbering *self, const char *device)
{
  guint found = JM_NO_GPU;
  gsize length = strlen (device);

  if (length < MIN_PART_OF_UUID)
    return JM_NO_GPU;

  for (guint i = 0; i < self->there->len; i++)
    {
      const char *uuid = get_field (self, i, JM_GPU_FIELD_UUID);

      if (uuid == NULL || g_ascii_strncasecmp (uuid, device, length) != 0)
        continue;
      if (found != JM_NO_GPU)
        return JM_NO_GPU;
      found = i;
    }

  return found;
}

/* What is called 2 by who knows one maker only is amd2 here. */
static guint
find_by_index (JmGpuNumbering *self, const char *device)
{
  guint found = JM_NO_GPU;
  guint64 index;

  if (!g_ascii_string_to_unsigned (device, 10, 0, G_MAXUINT, &index, NULL) ||
      has_several_makers (self))
    return JM_NO_GPU;

  for (guint i = 0; i < self->there->len; i++)
    if (is_whole (self, i) &&
        jm_gpu_get_index (jm_gpu_roll_get_gpu (self->roll, i)) == index)
      {
        if (found != JM_NO_GPU)
          return JM_NO_GPU;
        found = i;
      }

  return found;
}

static guint
find_name (JmGpuNumbering *self, const char *device)
{
  guint found = jm_gpu_roll_find (self->roll, device);

  if (found == JM_NO_GPU && g_str_has_prefix (device, OLD_INSTANCE))
    found = find_old_instance (self, device);
  if (found == JM_NO_GPU)
    found = find_by_part (self, device);
  if (found == JM_NO_GPU)
    found = find_by_index (self, device);

  return found;
}

guint
jm_gpu_numbering_find (JmGpuNumbering *self, const JmGpuGrant *grant)
{
  if (grant->device != NULL)
    return find_name (self, grant->device);

  return grant->index < self->order->len
           ? g_array_index (self->order, guint, grant->index)
           : JM_NO_GPU;
}
