/* jm-amdgpu-source.c: AMD's accelerators as the kernel reports them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-gpu-report-private.h"
#include "host/jm-source-private.h"
#include "sources/gpu/jm-gpu-types-private.h"

#include "base/jm-error.h"
#include "core/jm-gpu-private.h"
#include "sources/gpu/jm-drm-card-private.h"
#include "sources/gpu/jm-gpu-shelf-private.h"

#define PPM_PER_PERCENT 10000

/* https://docs.kernel.org/gpu/amdgpu/driver-misc.html and .../thermal.html */
static const struct
{
  const char *name;
  JmGpuGauge gauge;
} attributes[] = {
  { "gpu_busy_percent", { JM_METRIC_GPU_UTILIZATION, PPM_PER_PERCENT, 0, 100 } },
  { "mem_busy_percent", { JM_METRIC_GPU_MEMORY_UTILIZATION, PPM_PER_PERCENT, 0, 100 } },
  { "mem_info_vram_total", { JM_METRIC_GPU_MEMORY_SIZE, 1, 1, G_MAXINT64 } },
  { "mem_info_vram_used", { JM_METRIC_GPU_MEMORY_USED, 1, 0, G_MAXINT64 } },
  { "pcie_replay_count", { JM_METRIC_GPU_PCIE_REPLAYS, 1, 0, G_MAXINT64 } },
};

/* One device. */
typedef struct
{
  JmGpu *gpu;
  GPtrArray *cards; /* of JmDrmCard: all that were listed with it */
  guint card;       /* its number among them */
  JmKfd *kfd;       /* of all of them */
} Device;

/*
 * JmAmdgpuSource:
 *
 * AMD's accelerators as the kernel's driver `amdgpu` reports them, without any library.
 *
 * - Shape: `amdN`, counted in the order of PCI addresses. The uuid is what ROCm calls
 *   the device: `GPU-` and its unique id. Processes are those with memory of the device
 *   that the driver of compute work (KFD) knows.
 * - Units: of each metric, its own.
 * - Errors: `ABSENT` without a card that `amdgpu` drives. A file that is not there, or
 *   has no answer, costs its own figure. Of a card that sleeps nothing is read, which
 *   would wake it up.
 * - Source: `/sys/class/drm/cardN/device`, its `hwmon`, and `/sys/class/kfd`.
 *
 * Since: 0.1
 */
struct _JmAmdgpuSource
{
  JmGpuLibrary parent_instance;

  JmGpuShelf devices; /* of Device */
};

G_DEFINE_FINAL_TYPE (JmAmdgpuSource, jm_amdgpu_source, JM_TYPE_GPU_LIBRARY)

static GPtrArray *
list_cards (JmAmdgpuSource *self, GError **error)
{
  return jm_drm_list_cards (jm_source_get_host (JM_SOURCE (self)), jm_amd_drivers,
                            error);
}

static gboolean
jm_amdgpu_source_load (JmGpuLibrary *library, GError **error)
{
  g_autoptr (GPtrArray) cards = list_cards (JM_AMDGPU_SOURCE (library), error);

  return cards != NULL;
}

static void
device_free (gpointer data)
{
  Device *self = data;

  jm_gpu_unref (self->gpu);
  g_ptr_array_unref (self->cards);
  jm_kfd_unref (self->kfd);
  g_free (self);
}

static void
open_gauges (const JmDrmCard *card)
{
  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    jm_gpu_gauges_add (card->gauges, &attributes[i].gauge, NULL, card->dir,
                       attributes[i].name);
  jm_gpu_gauges_add_hwmon (card->gauges, card->dir, card->driver);
}

static Device *
device_new (GPtrArray *cards, guint card, JmKfd *kfd)
{
  Device *self = g_new0 (Device, 1);

  open_gauges (cards->pdata[card]);
  self->gpu = jm_drm_card_make_amd_gpu (cards->pdata[card], card);
  self->cards = g_ptr_array_ref (cards);
  self->card = card;
  self->kfd = jm_kfd_ref (kfd);

  return self;
}

static gboolean
jm_amdgpu_source_list (JmGpuLibrary *library, GPtrArray *gpus, GError **error)
{
  JmAmdgpuSource *self = JM_AMDGPU_SOURCE (library);
  g_autoptr (GPtrArray) cards = list_cards (self, error);
  g_autoptr (JmKfd) kfd = NULL;
  GPtrArray *devices;

  if (cards == NULL)
    return FALSE;

  kfd = jm_kfd_new (jm_source_get_host (JM_SOURCE (self)), cards);
  devices = g_ptr_array_new_with_free_func (device_free);
  for (guint i = 0; i < cards->len; i++)
    {
      Device *device = device_new (cards, i, kfd);

      g_ptr_array_add (gpus, jm_gpu_ref (device->gpu));
      g_ptr_array_add (devices, device);
    }
  jm_gpu_shelf_put (&self->devices, devices);

  return TRUE;
}

static void
tell_compute (JmKfd *kfd, guint card, JmGpuReport *report)
{
  guint64 n_units = jm_kfd_get_compute_units (kfd, card);

  if (n_units > 0)
    jm_gpu_report_add (report, JM_METRIC_GPU_MULTIPROCESSORS, n_units);
  /* once for all of them */
  if (card == 0 && jm_kfd_get_denial (kfd) != NULL)
    jm_gpu_report_add_error (report, jm_kfd_get_denial (kfd));
  jm_kfd_tell_processes (kfd, card, report);
}

static gboolean
jm_amdgpu_source_read (JmGpuLibrary *library,
                       guint device,
                       JmGpu *gpu,
                       JmGpuReport *report,
                       GError **error)
{
  g_autoptr (GPtrArray) hold = NULL;
  const Device *found =
    jm_gpu_shelf_find (&JM_AMDGPU_SOURCE (library)->devices, gpu, &hold);

  if (found == NULL)
    return jm_drm_card_fail_lost (gpu, error);
  tell_compute (found->kfd, found->card, report);

  return jm_drm_card_read (found->cards->pdata[found->card], FALSE, report, error);
}

/* The kernel has the levels of the moment alone. */
static void
jm_amdgpu_source_look (JmGpuLibrary *library,
                       guint device,
                       JmGpu *gpu,
                       JmGpuReport *report)
{
  g_autoptr (GPtrArray) hold = NULL;
  const Device *found =
    jm_gpu_shelf_find (&JM_AMDGPU_SOURCE (library)->devices, gpu, &hold);

  if (found != NULL)
    jm_drm_card_read (found->cards->pdata[found->card], TRUE, report, NULL);
}

static void
jm_amdgpu_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  jm_advice_set_gain (advice, "figures of AMD's accelerators");
  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    jm_advice_add (advice,
                   "Let the daemon at the devices, or the kernel does not show which "
                   "processes use them",
                   "gpu-amd.conf");
}

static void
jm_amdgpu_source_finalize (GObject *object)
{
  jm_gpu_shelf_clear (&JM_AMDGPU_SOURCE (object)->devices);

  G_OBJECT_CLASS (jm_amdgpu_source_parent_class)->finalize (object);
}

static void
jm_amdgpu_source_class_init (JmAmdgpuSourceClass *klass)
{
  JmGpuLibraryClass *library_class = JM_GPU_LIBRARY_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = jm_amdgpu_source_finalize;
  JM_SOURCE_CLASS (klass)->advise = jm_amdgpu_source_advise;
  library_class->thread_name = "amdgpu";
  library_class->load = jm_amdgpu_source_load;
  library_class->list = jm_amdgpu_source_list;
  library_class->read = jm_amdgpu_source_read;
  library_class->look = jm_amdgpu_source_look;
}

static void
jm_amdgpu_source_init (JmAmdgpuSource *self)
{
  jm_gpu_shelf_init (&self->devices);
}
