/* jm-drm-card-private.h: cards as the kernel lists them, their gauges and processes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "core/jm-gpu.h"
#include "core/jm-metric-private.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

/* What a file has. */
typedef struct
{
  JmMetric metric;
  guint64 scale; /* from the file's unit to the metric's own */
  guint64 min;   /* less than this means that nothing was measured */
  guint64 max;   /* more than this cannot be */
} JmGpuGauge;

/* The files of one device, kept open. */
typedef struct _JmGpuGauges JmGpuGauges;

JmGpuGauges *jm_gpu_gauges_new (JmHost *host);
void jm_gpu_gauges_free (JmGpuGauges *self);

/* FALSE, and nothing is missed, where there is no such file. @label is for the one
 * label that the metric has, or NULL. */
gboolean jm_gpu_gauges_add (JmGpuGauges *self,
                            const JmGpuGauge *gauge,
                            const char *label,
                            const char *dir,
                            const char *name);

/* The sensors below the folder of a device, of a chip of that name: of several powers,
 * limits and counters of energy, the first. */
void jm_gpu_gauges_add_hwmon (JmGpuGauges *self, const char *device, const char *chip);

/* FALSE if no file of all that there are has an answer; of @levels_only, those of
 * utilization and power. */
gboolean jm_gpu_gauges_read (JmGpuGauges *self,
                             gboolean levels_only,
                             JmGpuReport *report,
                             GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuGauges, jm_gpu_gauges_free)

/* The text of a small file without the blanks around it, or NULL where there is none or
 * nothing in it. */
char *jm_gpu_read_text (JmHost *host, const char *dir, const char *name);

#define JM_NO_CARD G_MAXUINT

/* One card, as it was when it was listed. */
typedef struct
{
  JmGpu *gpu; /* as it is reported; none before it was made */
  JmHost *host;
  char *path;    /* such as /sys/class/drm/card0 */
  char *dir;     /* of its device, such as /sys/class/drm/card0/device */
  char *driver;  /* such as amdgpu */
  char *address; /* on the PCI bus, in the kernel's form */
  gboolean has_number;
  guint major; /* of the node that is for computing: /dev/dri/renderD128 */
  guint minor;
  JmGpuGauges *gauges; /* none until somebody adds some */
} JmDrmCard;

/* Takes the value of a key of a uevent file. */
gboolean
jm_drm_parse_uevent (const char *text, gsize length, const char *key, JmSlice *value);

/* Those of some drivers, in the order of their PCI addresses. ABSENT if there is none.
 * Transfer full, of JmDrmCard. */
GPtrArray *jm_drm_list_cards (JmHost *host, const char *const *drivers, GError **error);

/* Makes a device of that vendor and number, of which the card knows where it is; the
 * card keeps it. */
JmGpu *jm_drm_card_make_gpu (JmDrmCard *self, const char *vendor, guint index);

/* What the kernel calls its driver of AMD's cards. */
extern const char *const jm_amd_drivers[];

/* The same of AMD's, with what is known of them besides. */
JmGpu *jm_drm_card_make_amd_gpu (JmDrmCard *self, guint index);

/* The number of the card that sits just there; of a partition, which has its own number
 * for a function, that of the card that it is a part of. JM_NO_CARD without one. */
guint jm_drm_find_card (const GPtrArray *cards,
                        guint domain,
                        guint bus,
                        guint slot,
                        guint function);

/* What to say of one that is not listed any more. */
gboolean jm_drm_card_fail_lost (JmGpu *gpu, GError **error);

/* Reads its gauges, or those of utilization and power. One that the kernel has put to
 * sleep is left alone, which reading would wake up. */
gboolean jm_drm_card_read (const JmDrmCard *self,
                           gboolean levels_only,
                           JmGpuReport *report,
                           GError **error);

/* A node of the driver's topology that is an accelerator, or a partition of one. */
typedef struct
{
  guint64 gpu_id; /* 0 for a processor */
  guint card;     /* its number among the listed cards, or JM_NO_CARD */
  guint domain;   /* of the PCI address, as the next three are */
  guint bus;
  guint slot;
  guint function;          /* may have a partition's number added */
  guint64 n_compute_units; /* 0 where not known */
} JmKfdNode;

/* Takes what the properties of a node say. FALSE where that is not where it sits. */
gboolean jm_kfd_parse_properties (const char *text, gsize length, JmKfdNode *node);

/* The nodes that there were when it was made; nobody changes them. */
typedef struct _JmKfd JmKfd;

/* Reads which nodes there are, and of which of @cards, of JmDrmCard, each is. Without
 * the driver there are none. */
JmKfd *jm_kfd_new (JmHost *host, const GPtrArray *cards);
JmKfd *jm_kfd_ref (JmKfd *self);
void jm_kfd_unref (JmKfd *self);

/* Why some node could not be read, or NULL. */
const GError *jm_kfd_get_denial (JmKfd *self);

/* Of a card; 0 where it is not known. */
guint64 jm_kfd_get_compute_units (JmKfd *self, guint card);

/* Adds the processes that have memory of a card, and how many they are. */
void jm_kfd_tell_processes (JmKfd *self, guint card, JmGpuReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmKfd, jm_kfd_unref)

G_END_DECLS
