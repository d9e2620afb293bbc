/* jm-cgroup-labels.c: labels that stand in every round, made once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-labels-private.h"

#include "sources/cgroup/jm-cgroup-parse-private.h"

typedef struct
{
  guint major;
  guint minor;
  JmLabels *labels;
} Device;

struct _JmCgroupLabels
{
  JmHost *host;
  GArray *devices;  /* of Device */
  GPtrArray *names; /* of JmLabels */
  GPtrArray *cpus;  /* of JmLabels, by CPU; NULL for one that was not asked for */
};

static void
device_clear (gpointer device)
{
  g_clear_pointer (&((Device *) device)->labels, jm_labels_unref);
}

static void
release_labels (gpointer labels)
{
  if (labels != NULL)
    jm_labels_unref (labels);
}

JmCgroupLabels *
jm_cgroup_labels_new (JmHost *host)
{
  JmCgroupLabels *self = g_new0 (JmCgroupLabels, 1);

  self->host = g_object_ref (host);
  self->devices = g_array_new (FALSE, FALSE, sizeof (Device));
  g_array_set_clear_func (self->devices, device_clear);
  self->names = g_ptr_array_new_with_free_func (release_labels);
  self->cpus = g_ptr_array_new_with_free_func (release_labels);

  return self;
}

void
jm_cgroup_labels_free (JmCgroupLabels *self)
{
  g_object_unref (self->host);
  g_array_unref (self->devices);
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->cpus);
  g_free (self);
}

static char *
name_from_uevent (JmHost *host, const char *folder)
{
  g_autofree char *path = g_strconcat (folder, "/uevent", NULL);
  char text[4096];
  gssize length = jm_host_read (host, path, text, sizeof text, NULL);
  JmSlice name;

  if (length < 0 || !jm_cgroup_parse_device_name (text, (gsize) length, &name))
    return NULL;

  return g_strndup (name.text, name.length);
}

static char *
name_from_link (JmHost *host, const char *folder)
{
  g_autofree char *target = jm_host_read_link (host, folder, NULL);

  return target != NULL ? g_path_get_basename (target) : NULL;
}

static JmLabels *
name_device (JmHost *host, guint major, guint minor)
{
  g_autofree char *number = g_strdup_printf ("%u:%u", major, minor);
  g_autofree char *folder = g_strconcat ("/sys/dev/block/", number, NULL);
  g_autofree char *name = name_from_uevent (host, folder);

  if (name == NULL)
    name = name_from_link (host, folder);

  return jm_labels_of (name != NULL ? name : number, NULL);
}

/* The name of a block device below `/dev`; its number where it has no name. */
JmLabels *
jm_cgroup_labels_get_block_device (JmCgroupLabels *self, guint major, guint minor)
{
  Device device = { major, minor, NULL };

  for (guint i = 0; i < self->devices->len; i++)
    {
      const Device *known = &g_array_index (self->devices, Device, i);

      if (known->major == major && known->minor == minor)
        return known->labels;
    }

  device.labels = name_device (self->host, major, minor);
  g_array_append_val (self->devices, device);
  return device.labels;
}

/* A name that the kernel wrote, such as that of an RDMA device. */
JmLabels *
jm_cgroup_labels_get_name (JmCgroupLabels *self, JmSlice name)
{
  g_autofree char *text = NULL;

  for (guint i = 0; i < self->names->len; i++)
    {
      JmLabels *known = g_ptr_array_index (self->names, i);

      if (jm_slice_equal (name, jm_labels_get_value (known, 0)))
        return known;
    }

  text = g_strndup (name.text, name.length);
  g_ptr_array_add (self->names, jm_labels_of (text, NULL));

  return g_ptr_array_index (self->names, self->names->len - 1);
}

/* The number of a CPU. */
JmLabels *
jm_cgroup_labels_get_cpu (JmCgroupLabels *self, guint cpu)
{
  g_assert (cpu < JM_CPUS_MAX);

  if (cpu >= self->cpus->len)
    g_ptr_array_set_size (self->cpus, (int) cpu + 1);
  if (g_ptr_array_index (self->cpus, cpu) == NULL)
    {
      char number[16];

      g_snprintf (number, sizeof number, "%u", cpu);
      g_ptr_array_index (self->cpus, cpu) = jm_labels_of (number, NULL);
    }

  return g_ptr_array_index (self->cpus, cpu);
}
