/* fake-gpus.h: accelerators that a test makes up
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-metric-private.h"
#include "sources/gpu/jm-gpu-mapper.h"

G_BEGIN_DECLS

#define FAKE_TYPE_GPUS (fake_gpus_get_type ())
G_DECLARE_FINAL_TYPE (FakeGpus, fake_gpus, FAKE, GPUS, JmSource)

FakeGpus *fake_gpus_new (JmHost *host);

/* Adds a device, or renews what it is; uuid, PCI address and parent may be NULL.
 *
 * Returns: the device, of which more may be reported before it is read */
JmGpu *fake_gpus_add (FakeGpus *self,
                      const char *name,
                      const char *uuid,
                      const char *pci_address,
                      const char *parent);
void fake_gpus_remove (FakeGpus *self, const char *name);

/* A figure of a device that has no labels, from here on; -1 for none. */
void fake_gpus_set (FakeGpus *self, const char *name, JmMetric metric, gint64 value);

/* One more figure of a metric that has labels, from here on. */
void fake_gpus_add_labelled (FakeGpus *self,
                             const char *name,
                             JmMetric metric,
                             const char *label,
                             guint64 value);

/* A process on a device; -1 for what is not reported. */
void fake_gpus_add_process (FakeGpus *self,
                            const char *name,
                            guint pid,
                            gint64 memory_bytes,
                            gint64 utilization_ppm);

/* How old its answer is. */
void fake_gpus_set_age (FakeGpus *self, guint64 age_us);

/* Fails with this message; NULL: answers again. */
void fake_gpus_fail (FakeGpus *self, const char *message);

/* Says of each job of that id that it was given a device. */
void fake_gpus_grant (FakeGpus *self,
                      const char *job_id,
                      JmGpuOrigin origin,
                      const char *device,
                      double share);
void fake_gpus_take_away (FakeGpus *self, const char *job_id);

/* How often it was asked what a job was given, and the first cgroup that it was given
 * last. */
guint fake_gpus_count_questions (FakeGpus *self);
const char *fake_gpus_get_cgroup (FakeGpus *self);

/* Fails with this message when it is asked so. */
void fake_gpus_refuse (FakeGpus *self, const char *message);

G_END_DECLS
