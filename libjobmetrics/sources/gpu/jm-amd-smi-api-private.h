/* jm-amd-smi-api-private.h: what is used of AMD's management libraries
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu.h"
#include "sources/gpu/jm-gpu-library-private.h"

G_BEGIN_DECLS

/* AMD SMI, or the ROCm SMI that came before it. */
typedef struct _JmAmdSmiApi JmAmdSmiApi;

/* One device of a library; each is asked by one thread at a time. */
typedef struct
{
  gpointer handle; /* of ROCm SMI, a number */
  guint domain;    /* of its PCI address, as the next three are */
  guint bus;
  guint slot;
  guint function;    /* may be a partition's number */
  guint unsupported; /* a bit for each call that it has no answer to, ever */
} JmAmdSmiDevice;

/* Errors as jm_dynamic_library_open() has them. */
JmAmdSmiApi *jm_amd_smi_api_load (JmGpuLibrary *library, GError **error);
void jm_amd_smi_api_free (JmAmdSmiApi *self);

/* Starts the library up, where that is not done. */
gboolean jm_amd_smi_api_start (JmAmdSmiApi *self, GError **error);
void jm_amd_smi_api_stop (JmAmdSmiApi *self);

/* Transfer full, of JmAmdSmiDevice. */
GArray *jm_amd_smi_api_list (JmAmdSmiApi *self, GError **error);

/* Adds what the device does. FALSE if it answers nothing that it can answer. */
gboolean jm_amd_smi_api_read (JmAmdSmiApi *self,
                              JmAmdSmiDevice *device,
                              JmGpuReport *report,
                              GError **error);

/* Adds its utilization and power of the moment. */
void
jm_amd_smi_api_look (JmAmdSmiApi *self, JmAmdSmiDevice *device, JmGpuReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmAmdSmiApi, jm_amd_smi_api_free)

G_END_DECLS
