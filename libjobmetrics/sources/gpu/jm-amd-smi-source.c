/* jm-amd-smi-source.c: AMD's accelerators as AMD's library reports them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-source-private.h"
#include "sources/gpu/jm-gpu-types-private.h"

#include "base/jm-error.h"
#include "core/jm-gpu-private.h"
#include "sources/gpu/jm-amd-smi-api-private.h"
#include "sources/gpu/jm-drm-card-private.h"
#include "sources/gpu/jm-gpu-shelf-private.h"

/*
 * JmAmdSmiSource:
 *
 * AMD's accelerators as AMD SMI reports them, or ROCm SMI where there is no AMD SMI.
 *
 * - Shape: the devices and names of #JmAmdgpuSource, of which this one has the energy
 *   besides. A card that the library does not know is left to that one.
 * - Units: of each metric, its own.
 * - Errors: `ABSENT` without a card that `amdgpu` drives, or without either library. A
 *   function that has no answer costs its own figure.
 * - Source: `libamd_smi.so`, `librocm_smi64.so`.
 *
 * Since: 0.1
 */
struct _JmAmdSmiSource
{
  JmGpuLibrary parent_instance;

  JmAmdSmiApi *api;
  JmGpuShelf devices; /* of Device */
};

typedef struct
{
  JmGpu *gpu;
  JmAmdSmiDevice device;
} Device;

static void
device_free (gpointer data)
{
  Device *self = data;

  jm_gpu_unref (self->gpu);
  g_free (self);
}

G_DEFINE_FINAL_TYPE (JmAmdSmiSource, jm_amd_smi_source, JM_TYPE_GPU_LIBRARY)

static GPtrArray *
list_cards (gpointer self, GError **error)
{
  return jm_drm_list_cards (jm_source_get_host (self), jm_amd_drivers, error);
}

/* A library without a card is not even loaded. */
static gboolean
jm_amd_smi_source_load (JmGpuLibrary *library, GError **error)
{
  JmAmdSmiSource *self = JM_AMD_SMI_SOURCE (library);
  g_autoptr (GPtrArray) cards = list_cards (self, error);

  if (cards == NULL)
    return FALSE;

  g_clear_pointer (&self->api, jm_amd_smi_api_free);
  self->api = jm_amd_smi_api_load (library, error);

  return self->api != NULL;
}

/* The library's device of a card: of its partitions, the first. */
static const JmAmdSmiDevice *
find_device (GArray *devices, const GPtrArray *cards, guint card)
{
  for (guint i = 0; i < devices->len; i++)
    {
      const JmAmdSmiDevice *device = &g_array_index (devices, JmAmdSmiDevice, i);

      if (jm_drm_find_card (cards, device->domain, device->bus, device->slot,
                            device->function) == card)
        return device;
    }

  return NULL;
}

/* A card that the library does not know is left out. */
static void
add_device (GPtrArray *cards,
            guint card,
            GArray *found,
            GPtrArray *devices,
            GPtrArray *gpus)
{
  const JmAmdSmiDevice *of_library = find_device (found, cards, card);
  Device *device;

  if (of_library == NULL)
    return;

  device = g_new0 (Device, 1);
  device->gpu = jm_drm_card_make_amd_gpu (cards->pdata[card], card);
  device->device = *of_library;
  g_ptr_array_add (devices, device);
  g_ptr_array_add (gpus, jm_gpu_ref (device->gpu));
}

static gboolean
jm_amd_smi_source_list (JmGpuLibrary *library, GPtrArray *gpus, GError **error)
{
  JmAmdSmiSource *self = JM_AMD_SMI_SOURCE (library);
  g_autoptr (GPtrArray) cards = list_cards (self, error);
  g_autoptr (GArray) found = NULL;
  GPtrArray *devices;

  if (cards == NULL || !jm_amd_smi_api_start (self->api, error))
    return FALSE;
  found = jm_amd_smi_api_list (self->api, error);
  if (found == NULL)
    return FALSE;

  devices = g_ptr_array_new_with_free_func (device_free);
  for (guint i = 0; i < cards->len; i++)
    add_device (cards, i, found, devices, gpus);
  jm_gpu_shelf_put (&self->devices, devices);

  return TRUE;
}

static gboolean
jm_amd_smi_source_read (JmGpuLibrary *library,
                        guint device,
                        JmGpu *gpu,
                        JmGpuReport *report,
                        GError **error)
{
  JmAmdSmiSource *self = JM_AMD_SMI_SOURCE (library);
  g_autoptr (GPtrArray) hold = NULL;
  Device *found = jm_gpu_shelf_find (&self->devices, gpu, &hold);

  return found != NULL ? jm_amd_smi_api_read (self->api, &found->device, report, error)
                       : jm_drm_card_fail_lost (gpu, error);
}

/* The libraries have the levels of the moment alone. */
static void
jm_amd_smi_source_look (JmGpuLibrary *library,
                        guint device,
                        JmGpu *gpu,
                        JmGpuReport *report)
{
  JmAmdSmiSource *self = JM_AMD_SMI_SOURCE (library);
  g_autoptr (GPtrArray) hold = NULL;
  Device *found = jm_gpu_shelf_find (&self->devices, gpu, &hold);

  if (found != NULL)
    jm_amd_smi_api_look (self->api, &found->device, report);
}

static void
jm_amd_smi_source_stop (JmGpuLibrary *library)
{
  jm_amd_smi_api_stop (JM_AMD_SMI_SOURCE (library)->api);
}

static void
jm_amd_smi_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  jm_advice_set_gain (advice, "energy of AMD's accelerators");
  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    jm_advice_add (advice,
                   "Let the daemon at the library, and at /dev/kfd and /dev/dri", NULL);
}

static void
jm_amd_smi_source_finalize (GObject *object)
{
  JmAmdSmiSource *self = JM_AMD_SMI_SOURCE (object);

  jm_gpu_shelf_clear (&self->devices);
  g_clear_pointer (&self->api, jm_amd_smi_api_free);

  G_OBJECT_CLASS (jm_amd_smi_source_parent_class)->finalize (object);
}

static void
jm_amd_smi_source_class_init (JmAmdSmiSourceClass *klass)
{
  JmGpuLibraryClass *library_class = JM_GPU_LIBRARY_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = jm_amd_smi_source_finalize;
  JM_SOURCE_CLASS (klass)->advise = jm_amd_smi_source_advise;
  library_class->thread_name = "amd-smi";
  library_class->load = jm_amd_smi_source_load;
  library_class->list = jm_amd_smi_source_list;
  library_class->read = jm_amd_smi_source_read;
  library_class->look = jm_amd_smi_source_look;
  library_class->stop = jm_amd_smi_source_stop;
}

static void
jm_amd_smi_source_init (JmAmdSmiSource *self)
{
  jm_gpu_shelf_init (&self->devices);
}
