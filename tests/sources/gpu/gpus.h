/* gpus.h: what a source of accelerators reports, in a test
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "../../host/tree.h"
#include "base/jm-error.h"
#include "core/jm-gpu-report-private.h"
#include "sources/gpu/jm-gpu-library-private.h"

/* Longer than anything takes; who waits so long waits for what does not come. */
#define GPUS_PATIENCE_US (60 * G_USEC_PER_SEC)
/* Asked so often, a source soon reports what has changed. */
#define GPUS_INTERVAL_S 0.02

typedef struct
{
  Tree *tree; /* NULL for a fixture */
  JmHost *host;
  JmGpuLibrary *source;
  JmGpuReport *report;
} Gpus;

/* Opens a source of that type, and reads it once. */
Gpus *gpus_open (GType type, const char *root);
/* The same of one that asks a library, which is that file. */
Gpus *gpus_open_library (GType type, const char *root, const char *library);
Gpus *gpus_open_fixture (GType type, const char *name);
/* Takes the tree. */
Gpus *gpus_open_tree (GType type, Tree *tree);
void gpus_free (Gpus *self);

/* Asserts that there is no such device on that host, and why. */
void gpus_assert_closed (GType type, const char *root, JmError code, const char *part);

void gpus_read (Gpus *self);
/* Reads until the metric is that value; of one that is not reported, -1. */
void gpus_await (Gpus *self, guint device, JmMetric metric, gint64 value);
/* Reads until there are so many devices. */
void gpus_await_devices (Gpus *self, guint n_devices);

const char *gpus_get_field (Gpus *self, guint device, JmGpuField field);
/* -1 where it is not reported. @label is the one label of the metric, or NULL. */
gint64 gpus_get (Gpus *self, guint device, JmMetric metric, const char *label);
/* By process and memory, such as "4242:17179869184 4243:0". */
char *gpus_list_processes (Gpus *self, guint device);
/* The message of what is missing of a device, or "". */
const char *gpus_get_problem (Gpus *self, guint device);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Gpus, gpus_free)

#define assert_told(gpus, device, metric, label, value)                                \
 g_assert_cmpint (gpus_get (gpus, device, JM_METRIC_##metric, label), ==, value)
#define assert_untold(gpus, device, metric)                                            \
 g_assert_null (jm_gpu_report_find ((gpus)->report, device, JM_METRIC_##metric))
#define assert_field(gpus, device, field, text)                                        \
 g_assert_cmpstr (gpus_get_field (gpus, device, JM_GPU_FIELD_##field), ==, text)
