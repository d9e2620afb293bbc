/* jm-drm-card-private.h: cards of the kernel's graphics drivers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu.h"
#include "host/jm-host.h"
#include "host/jm-parse-private.h"
#include "sources/gpu/jm-gpu-gauges-private.h"

G_BEGIN_DECLS

#define JM_NO_CARD G_MAXUINT

/* One card, as it was when it was listed. */
typedef struct
{
  JmGpu *gpu; /* as it is told; none before it was made */
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

/* Makes a device of that vendor and number, of which the card tells where it is; the
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

/* Reads its gauges. One that the kernel has put to sleep is left alone, which reading
 * would wake up. */
gboolean jm_drm_card_read (const JmDrmCard *self, JmGpuReport *report, GError **error);

G_END_DECLS
