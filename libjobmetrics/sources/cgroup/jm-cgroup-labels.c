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
  char *label;
} Device;

struct _JmCgroupLabels
{
  JmHost *host;
  GArray *devices;  /* of Device */
  GPtrArray *names; /* of GRefString */
  GPtrArray *cpus;  /* of GRefString, by CPU; NULL for one that was not asked for */
};

static void
device_clear (gpointer device)
{
  g_clear_pointer (&((Device *) device)->label, g_ref_string_release);
}

static void
release_label (gpointer label)
{
  if (label != NULL)
    g_ref_string_release (label);
}

JmCgroupLabels *
jm_cgroup_labels_new (JmHost *host)
{
  JmCgroupLabels *self = g_new0 (JmCgroupLabels, 1);

  self->host = g_object_ref (host);
  self->devices = g_array_new (FALSE, FALSE, sizeof (Device));
  g_array_set_clear_func (self->devices, device_clear);
  self->names = g_ptr_array_new_with_free_func (release_label);
  self->cpus = g_ptr_array_new_with_free_func (release_label);

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

  return g_ref_string_new_len (name.text, (gssize) name.length);
}

static char *
name_from_link (JmHost *host, const char *folder)
{
  g_autofree char *target = jm_host_read_link (host, folder, NULL);
  g_autofree char *name = NULL;

  if (target == NULL)
    return NULL;

  name = g_path_get_basename (target);
  return g_ref_string_new (name);
}

static char *
find_device_name (JmHost *host, guint major, guint minor)
{
  g_autofree char *number = g_strdup_printf ("%u:%u", major, minor);
  g_autofree char *folder = g_strconcat ("/sys/dev/block/", number, NULL);
  char *name = name_from_uevent (host, folder);

  if (name == NULL)
    name = name_from_link (host, folder);

  return name != NULL ? name : g_ref_string_new (number);
}

/* The name of a block device below `/dev`; its number where it has no name. */
char *
jm_cgroup_labels_get_block_device (JmCgroupLabels *self, guint major, guint minor)
{
  Device device = { major, minor, NULL };

  for (guint i = 0; i < self->devices->len; i++)
    {
      const Device *known = &g_array_index (self->devices, Device, i);

      if (known->major == major && known->minor == minor)
        return known->label;
    }

  device.label = find_device_name (self->host, major, minor);
  g_array_append_val (self->devices, device);
  return device.label;
}

/* A name that the kernel wrote, such as that of an RDMA device. */
char *
jm_cgroup_labels_get_name (JmCgroupLabels *self, JmSlice name)
{
  char *label;

  for (guint i = 0; i < self->names->len; i++)
    if (jm_slice_equal (name, g_ptr_array_index (self->names, i)))
      return g_ptr_array_index (self->names, i);

  label = g_ref_string_new_len (name.text, (gssize) name.length);
  g_ptr_array_add (self->names, label);
  return label;
}

/* The number of a CPU. */
char *
jm_cgroup_labels_get_cpu (JmCgroupLabels *self, guint cpu)
{
  g_assert (cpu < JM_CPUS_MAX);

  if (cpu >= self->cpus->len)
    g_ptr_array_set_size (self->cpus, (int) cpu + 1);
  if (g_ptr_array_index (self->cpus, cpu) == NULL)
    {
      char number[16];

      g_snprintf (number, sizeof number, "%u", cpu);
      g_ptr_array_index (self->cpus, cpu) = g_ref_string_new (number);
    }

  return g_ptr_array_index (self->cpus, cpu);
}
