/* jm-kfd-private.h: what computes on AMD's accelerators, as the kernel's driver tells
 * it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu-report.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

/* A node of the driver's topology that is an accelerator, or a partition of one. */
typedef struct
{
  guint64 gpu_id; /* 0 for a processor */
  guint card;     /* its number among the listed cards, or JM_NO_CARD */
  guint domain;   /* of the PCI address, as the next three are */
  guint bus;
  guint slot;
  guint function;          /* may have a partition's number added */
  guint64 n_compute_units; /* 0 where not told */
} JmKfdNode;

/* Takes what the properties of a node say. FALSE where that is not where it sits. */
gboolean jm_kfd_parse_properties (const char *text, gsize length, JmKfdNode *node);

/* The nodes that there were when it was made; nobody changes them. */
typedef struct _JmKfd JmKfd;

/* Reads which nodes there are, and of which of @cards, of JmDrmCard, each is. Without the
 * driver there are none. */
JmKfd *jm_kfd_new (JmHost *host, const GPtrArray *cards);
JmKfd *jm_kfd_ref (JmKfd *self);
void jm_kfd_unref (JmKfd *self);

/* Why some node could not be read, or NULL. */
const GError *jm_kfd_get_denial (JmKfd *self);

/* Of a card; 0 where it is not known. */
guint64 jm_kfd_get_compute_units (JmKfd *self, guint card);

/* Tells of the processes that have memory of a card, and how many they are. */
void jm_kfd_tell_processes (JmKfd *self, guint card, JmGpuReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmKfd, jm_kfd_unref)

G_END_DECLS
