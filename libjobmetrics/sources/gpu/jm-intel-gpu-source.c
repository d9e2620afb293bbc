/* jm-intel-gpu-source.c: Intel accelerators as the kernel reports them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-source-private.h"
#include "sources/gpu/jm-gpu-types-private.h"

#include "core/jm-gpu-report-private.h"
#include "sources/gpu/jm-drm-card-private.h"
#include "sources/gpu/jm-gpu-shelf-private.h"

#define HZ_PER_MHZ 1000000
/* Tiles of a card, and parts (GT) of a tile: their numbers are the card's, not the
 * tile's. */
#define MAX_TILES 8
#define MAX_PARTS 8

static const char *const drivers[] = { "i915", "xe", NULL };

static const JmGpuGauge clock_gauge = { JM_METRIC_GPU_CLOCK, HZ_PER_MHZ, 0,
                                        JM_GPU_MAX_CLOCK_HZ / HZ_PER_MHZ };
static const JmGpuGauge throttle_gauge = { JM_METRIC_GPU_THROTTLE, 1, 0, 1 };

/* Why the first part's clock is held back: drivers/gpu/drm/i915/gt/intel_gt_sysfs_pm.c,
 * drivers/gpu/drm/xe/xe_gt_throttle.c. */
static const char *const reasons[] = {
  "pl1", "pl2", "pl4", "prochot", "thermal", "ratl", "vr_tdc", "vr_thermalert",
};

/*
 * JmIntelGpuSource:
 *
 * Intel accelerators as the kernel's drivers `i915` and `xe` have them, those that are
 * a part of a processor among them.
 *
 * - Shape: `intelN`, counted in the order of PCI addresses: energy, power limit,
 *   temperatures, the clock of each part, and why the first is held back. How busy a
 *   card is these files do not show, nor how much of its memory is in use.
 * - Units: of each metric, its own.
 * - Errors: `ABSENT` without a card that one of these drives. A file that is not there,
 *   or has no answer, costs its own figure. Of a card that sleeps nothing is read,
 *   which would wake it up.
 * - Source: `/sys/class/drm/cardN`, and the `hwmon` of its device.
 *
 * Since: 0.1
 */
struct _JmIntelGpuSource
{
  JmGpuLibrary parent_instance;

  JmGpuShelf cards; /* of JmDrmCard */
};

G_DEFINE_FINAL_TYPE (JmIntelGpuSource, jm_intel_gpu_source, JM_TYPE_GPU_LIBRARY)

static GPtrArray *
list_cards (gpointer self, GError **error)
{
  return jm_drm_list_cards (jm_source_get_host (self), drivers, error);
}

static gboolean
jm_intel_gpu_source_load (JmGpuLibrary *library, GError **error)
{
  g_autoptr (GPtrArray) cards = list_cards (library, error);

  return cards != NULL;
}

/* Where the drivers have the files of a part of a card. */
typedef struct
{
  const char *clock;
  const char *reason_prefix;
} Layout;

static const Layout i915_layout = { "rps_act_freq_mhz", "throttle_reason_" };
static const Layout xe_layout = { "freq0/act_freq", "freq0/throttle/reason_" };

static void
add_part (const JmDrmCard *card, const Layout *layout, const char *dir, guint part)
{
  g_autofree char *label =
    part == 0 ? g_strdup ("graphics") : g_strdup_printf ("gt%u", part);

  if (!jm_gpu_gauges_add (card->gauges, &clock_gauge, label, dir, layout->clock) ||
      part != 0)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      g_autofree char *name = g_strconcat (layout->reason_prefix, reasons[i], NULL);

      jm_gpu_gauges_add (card->gauges, &throttle_gauge, reasons[i], dir, name);
    }
}

static void
add_i915_parts (const JmDrmCard *card)
{
  for (guint part = 0; part < MAX_PARTS; part++)
    {
      g_autofree char *dir = g_strdup_printf ("%s/gt/gt%u", card->path, part);

      add_part (card, &i915_layout, dir, part);
    }

  /* before Linux 5.18 */
  jm_gpu_gauges_add (card->gauges, &clock_gauge, "graphics", card->path,
                     "gt_act_freq_mhz");
}

static void
add_xe_parts (const JmDrmCard *card)
{
  for (guint tile = 0; tile < MAX_TILES; tile++)
    for (guint part = 0; part < MAX_PARTS; part++)
      {
        g_autofree char *dir =
          g_strdup_printf ("%s/tile%u/gt%u", card->dir, tile, part);

        add_part (card, &xe_layout, dir, part);
      }
}

static void
open_gauges (const JmDrmCard *card)
{
  jm_gpu_gauges_add_hwmon (card->gauges, card->dir, card->driver);
  if (g_str_equal (card->driver, "xe"))
    add_xe_parts (card);
  else
    add_i915_parts (card);
}

static gboolean
jm_intel_gpu_source_list (JmGpuLibrary *library, GPtrArray *gpus, GError **error)
{
  JmIntelGpuSource *self = JM_INTEL_GPU_SOURCE (library);
  g_autoptr (GPtrArray) cards = list_cards (self, error);

  if (cards == NULL)
    return FALSE;

  for (guint i = 0; i < cards->len; i++)
    {
      open_gauges (cards->pdata[i]);
      g_ptr_array_add (gpus, jm_drm_card_make_gpu (cards->pdata[i], "intel", i));
    }

  jm_gpu_shelf_put (&self->cards, g_steal_pointer (&cards));

  return TRUE;
}

static gboolean
jm_intel_gpu_source_read (JmGpuLibrary *library,
                          guint device,
                          JmGpu *gpu,
                          JmGpuReport *report,
                          GError **error)
{
  g_autoptr (GPtrArray) hold = NULL;
  const JmDrmCard *card =
    jm_gpu_shelf_find (&JM_INTEL_GPU_SOURCE (library)->cards, gpu, &hold);

  return card != NULL ? jm_drm_card_read (card, FALSE, report, error)
                      : jm_drm_card_fail_lost (gpu, error);
}

static void
jm_intel_gpu_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  jm_advice_set_gain (advice, "figures of Intel accelerators");
}

static void
jm_intel_gpu_source_finalize (GObject *object)
{
  jm_gpu_shelf_clear (&JM_INTEL_GPU_SOURCE (object)->cards);

  G_OBJECT_CLASS (jm_intel_gpu_source_parent_class)->finalize (object);
}

static void
jm_intel_gpu_source_class_init (JmIntelGpuSourceClass *klass)
{
  JmGpuLibraryClass *library_class = JM_GPU_LIBRARY_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = jm_intel_gpu_source_finalize;
  JM_SOURCE_CLASS (klass)->advise = jm_intel_gpu_source_advise;
  library_class->thread_name = "intel-gpu";
  library_class->load = jm_intel_gpu_source_load;
  library_class->list = jm_intel_gpu_source_list;
  library_class->read = jm_intel_gpu_source_read;
}

static void
jm_intel_gpu_source_init (JmIntelGpuSource *self)
{
  jm_gpu_shelf_init (&self->cards);
}
