/* jm-gpu-grants.c: which accelerators a job was given
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-gpu-grants-private.h"

/* Devices, instances and shares of them: no node has as many. */
#define MAX_GRANTS 4096

struct _JmGpuGrants
{
  GArray *grants; /* of JmGpuGrant */
};

G_DEFINE_BOXED_TYPE (JmGpuGrants,
                     jm_gpu_grants,
                     g_atomic_rc_box_acquire,
                     jm_gpu_grants_unref)

static const char *const origin_names[JM_N_GPU_ORIGINS] = {
  [JM_GPU_ORIGIN_ENVIRONMENT] = "environment",
  [JM_GPU_ORIGIN_DRIVER] = "driver",
  [JM_GPU_ORIGIN_CGROUP] = "cgroup",
  [JM_GPU_ORIGIN_HOOK] = "hook",
};

/* Gets the value of the label `origin`.
 *
 * Returns the name, such as `hook`. */
const char *
jm_gpu_origin_get_name (JmGpuOrigin origin)
{
  g_return_val_if_fail ((guint) origin < JM_N_GPU_ORIGINS, NULL);

  return origin_names[origin];
}

static void
grant_clear (gpointer data)
{
  JmGpuGrant *grant = data;

  g_free (grant->device);
}

/**
 * jm_gpu_grants_new:
 *
 * Makes an empty table.
 *
 * Returns: (transfer full): the table
 * Since: 0.1
 */
JmGpuGrants *
jm_gpu_grants_new (void)
{
  JmGpuGrants *self = g_atomic_rc_box_new0 (JmGpuGrants);

  self->grants = g_array_new (FALSE, FALSE, sizeof (JmGpuGrant));
  g_array_set_clear_func (self->grants, grant_clear);

  return self;
}

static void
grants_clear (gpointer data)
{
  JmGpuGrants *self = data;

  g_array_unref (self->grants);
}

/**
 * jm_gpu_grants_unref:
 * @self: (transfer full): a table
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_gpu_grants_unref (JmGpuGrants *self)
{
  g_atomic_rc_box_release_full (self, grants_clear);
}

static void
add (JmGpuGrants *self,
     JmGpuOrigin origin,
     const char *device,
     guint index,
     double share)
{
  JmGpuGrant grant = { origin, g_strdup (device), index, CLAMP (share, 0, 1) };

  if (self->grants->len < MAX_GRANTS)
    g_array_append_val (self->grants, grant);
  else
    grant_clear (&grant);
}

/**
 * jm_gpu_grants_add:
 * @self: a table
 * @origin: how that is known
 * @device: the device's name, uuid, PCI address, or `MAJOR:MINOR` of its file
 * @share: how much of it, 0 to 1
 *
 * Adds a device that the job was given.
 *
 * Since: 0.1
 */
void
jm_gpu_grants_add (JmGpuGrants *self,
                   JmGpuOrigin origin,
                   const char *device,
                   double share)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail ((guint) origin < JM_N_GPU_ORIGINS);
  g_return_if_fail (device != NULL);

  add (self, origin, device, 0, share);
}

/**
 * jm_gpu_grants_add_index:
 * @self: a table
 * @origin: how that is known
 * @index: which device of the node, as its scheduler numbers them, instances included
 * @share: how much of it, 0 to 1
 *
 * Adds a device that the job was given, of which only the scheduler's number is known.
 *
 * Since: 0.1
 */
void
jm_gpu_grants_add_index (JmGpuGrants *self,
                         JmGpuOrigin origin,
                         guint index,
                         double share)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail ((guint) origin < JM_N_GPU_ORIGINS);

  add (self, origin, NULL, index, share);
}

void
jm_gpu_grants_reset (JmGpuGrants *self)
{
  g_array_set_size (self->grants, 0);
}

const JmGpuGrant *
jm_gpu_grants_get (JmGpuGrants *self, guint *n_grants)
{
  *n_grants = self->grants->len;

  return (const JmGpuGrant *) (gpointer) self->grants->data;
}
