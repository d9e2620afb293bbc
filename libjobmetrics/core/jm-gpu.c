/* jm-gpu.c: who an accelerator is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-gpu-private.h"

#include <string.h>

struct _JmGpu
{
  char *name;
  guint index;
  char *fields[JM_N_GPU_FIELDS]; /* NULL where unknown */
  gboolean has_number;
  guint major;
  guint minor;
  guint n_slices; /* 0 for a whole device */
  guint n_parent_slices;
};

G_DEFINE_BOXED_TYPE (JmGpu, jm_gpu, jm_gpu_ref, jm_gpu_unref)

static const char *const field_names[JM_N_GPU_FIELDS] = {
  [JM_GPU_FIELD_UUID] = "uuid",
  [JM_GPU_FIELD_MODEL] = "model",
  [JM_GPU_FIELD_VENDOR] = "vendor",
  [JM_GPU_FIELD_PCI_ADDRESS] = "pci_address",
  [JM_GPU_FIELD_PARENT] = "parent",
  [JM_GPU_FIELD_PROFILE] = "profile",
  [JM_GPU_FIELD_DRIVER_VERSION] = "driver_version",
};

/**
 * jm_gpu_field_get_name:
 * @field: a field
 *
 * Gets the name by which labels and JSON call a field.
 *
 * Returns: the name, such as `pci_address`
 * Since: 0.1
 */
const char *
jm_gpu_field_get_name (JmGpuField field)
{
  g_return_val_if_fail ((guint) field < JM_N_GPU_FIELDS, NULL);

  return field_names[field];
}

/**
 * jm_gpu_new:
 * @name: a short name that stays the device's as long as it is in the node: what its
 *   vendor's tools number it, such as `0`; `amd0` and `intel0` of other makers than
 *   NVIDIA; `0.3` for instance 3 of device `0`
 * @index: number of the device as its library has it; of an instance, its parent's
 *
 * Makes a device of which nothing else is known.
 *
 * Returns: (transfer full): the device
 * Since: 0.1
 */
JmGpu *
jm_gpu_new (const char *name, guint index)
{
  JmGpu *self;

  g_return_val_if_fail (name != NULL, NULL);

  self = g_atomic_rc_box_new0 (JmGpu);
  self->name = g_utf8_make_valid (name, -1);
  self->index = index;

  return self;
}

JmGpu *
jm_gpu_ref (JmGpu *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
gpu_clear (gpointer data)
{
  JmGpu *self = data;

  g_free (self->name);
  for (guint i = 0; i < JM_N_GPU_FIELDS; i++)
    g_free (self->fields[i]);
}

/**
 * jm_gpu_unref:
 * @self: (transfer full): a device
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_gpu_unref (JmGpu *self)
{
  g_atomic_rc_box_release_full (self, gpu_clear);
}

/**
 * jm_gpu_get_name:
 * @self: a device
 *
 * Gets what the device is called in labels.
 *
 * Returns: the name, such as `0` or `0.3`
 * Since: 0.1
 */
const char *
jm_gpu_get_name (JmGpu *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

/**
 * jm_gpu_get_index:
 * @self: a device
 *
 * Gets its number as its library has it; of an instance, its parent's.
 *
 * Returns: the number
 * Since: 0.1
 */
guint
jm_gpu_get_index (JmGpu *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->index;
}

/**
 * jm_gpu_set_field:
 * @self: a device that was not handed on yet
 * @field: which text
 * @text: (nullable): the text; %NULL or an empty one for unknown. PCI addresses are
 *   brought into the kernel's form
 *
 * Sets a text about a device.
 *
 * Since: 0.1
 */
void
jm_gpu_set_field (JmGpu *self, JmGpuField field, const char *text)
{
  char *value = NULL;

  g_return_if_fail (self != NULL);
  g_return_if_fail ((guint) field < JM_N_GPU_FIELDS);

  if (text != NULL && *text != '\0')
    value = field == JM_GPU_FIELD_PCI_ADDRESS ? jm_gpu_format_pci_address (text)
                                              : g_utf8_make_valid (text, -1);
  g_free (self->fields[field]);
  self->fields[field] = value;
}

/**
 * jm_gpu_get_field:
 * @self: a device
 * @field: what is asked
 *
 * Gets what is known of a device.
 *
 * Returns: (nullable): the text; %NULL where unknown
 * Since: 0.1
 */
const char *
jm_gpu_get_field (JmGpu *self, JmGpuField field)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail ((guint) field < JM_N_GPU_FIELDS, NULL);

  return self->fields[field];
}

/* Sets the number of the device's file, such as 195:0 for `/dev/nvidia0`: what the
 * device controller of cgroups calls it. */
void
jm_gpu_set_device_number (JmGpu *self, guint major, guint minor)
{
  g_return_if_fail (self != NULL);

  self->has_number = TRUE;
  self->major = major;
  self->minor = minor;
}

/* Gets the number of the device's file.
 *
 * Returns whether it is known. */
gboolean
jm_gpu_get_device_number (JmGpu *self, guint *major, guint *minor)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (major != NULL && minor != NULL, FALSE);

  *major = self->major;
  *minor = self->minor;

  return self->has_number;
}

/* Sets how large an instance is, which is how its parent's energy is split. */
void
jm_gpu_set_slices (JmGpu *self, guint n_slices, guint n_parent_slices)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (n_slices <= n_parent_slices);

  self->n_slices = n_slices;
  self->n_parent_slices = n_parent_slices;
}

/* Gets how large an instance is.
 *
 * Returns whether it is known; FALSE for a whole device. */
gboolean
jm_gpu_get_slices (JmGpu *self, guint *n_slices, guint *n_parent_slices)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (n_slices != NULL && n_parent_slices != NULL, FALSE);

  *n_slices = self->n_slices;
  *n_parent_slices = self->n_parent_slices;

  return self->n_slices > 0;
}

/* As many hexadecimal digits as there are before @end, at least one. */
static gboolean
take_hex (const char **text, char end, guint64 *value)
{
  char *rest;

  if (!g_ascii_isxdigit (**text))
    return FALSE;
  *value = g_ascii_strtoull (*text, &rest, 16);
  if (*rest != end)
    return FALSE;
  *text = end != '\0' ? rest + 1 : rest;

  return TRUE;
}

/* Brings a PCI address into the form that the kernel gives it in `/sys/bus/pci`:
 * `0000:3b:00.0`.
 *
 * Returns the address; NULL where it is none. */
char *
jm_gpu_format_pci_address (const char *address)
{
  const char *p = address;
  guint64 domain, bus, slot, function;

  g_return_val_if_fail (address != NULL, NULL);

  if (!take_hex (&p, ':', &domain) || !take_hex (&p, ':', &bus) ||
      !take_hex (&p, '.', &slot) || !take_hex (&p, '\0', &function) ||
      domain > G_MAXUINT32 || bus > 0xff || slot > 0x1f || function > 7)
    return NULL;

  return g_strdup_printf ("%04x:%02x:%02x.%x", (guint) domain, (guint) bus,
                          (guint) slot, (guint) function);
}
