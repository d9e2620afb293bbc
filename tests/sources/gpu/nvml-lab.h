/* nvml-lab.h: a machine with NVIDIA's accelerators, as a script has it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-gpu-report-private.h"
#include "sources/gpu/jm-gpu-types-private.h"

typedef struct
{
  char *folder;
  char *script;
  char *calls; /* where the library says what it was asked */
  JmHost *host;
  double timeout_s;
  char *gpm;            /* the source's property, or NULL; the caller's */
  guint n_samples_kept; /* by the driver; none unless a test wants them */
  JmNvmlSource *source;
} NvmlLab;

/* A library of today that plays that script. */
NvmlLab *nvml_lab_new (const char *script);
void nvml_lab_free (NvmlLab *self);

/* Has it play another from now on. */
void nvml_lab_play (NvmlLab *self, const char *script);

/* Plays a script in which some text stands in another's place. */
void nvml_lab_play_with (NvmlLab *self,
                         const char *script,
                         const char *text,
                         const char *other);

/* Opens it; @build is the folder of another build of the library, or NULL. */
gboolean nvml_lab_open_build (NvmlLab *self, const char *build, GError **error);

/* The same, which must succeed. */
void nvml_lab_open (NvmlLab *self);

/* The first answer. */
JmGpuReport *nvml_lab_read (NvmlLab *self);

/* The next answer that has that figure. */
JmGpuReport *nvml_lab_await (NvmlLab *self,
                             guint device,
                             JmMetric metric,
                             const char *label,
                             guint64 value);

/* How often a function was called, any where it is NULL. */
guint nvml_lab_count (NvmlLab *self, const char *function);

/* Waits until a function was called that often. */
void nvml_lab_await_calls (NvmlLab *self, const char *function, guint n);

/* A figure; FALSE where there is none. @label is NULL for one without. */
gboolean nvml_find (JmGpuReport *report,
                    guint device,
                    JmMetric metric,
                    const char *label,
                    guint64 *value);

void nvml_assert (JmGpuReport *report,
                  guint device,
                  JmMetric metric,
                  const char *label,
                  guint64 expected);
void nvml_assert_none (JmGpuReport *report,
                       guint device,
                       JmMetric metric,
                       const char *label);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NvmlLab, nvml_lab_free)
