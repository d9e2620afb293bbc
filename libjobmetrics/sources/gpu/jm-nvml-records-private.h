/* jm-nvml-records-private.h: what NVIDIA's management library writes, in our terms
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/gpu/jm-nvml-api-private.h"

G_BEGIN_DECLS

/* The largest record of a process that any version of the library writes. */
#define JM_NVML_PROCESS_BYTES 32
/* What room for records is filled with before the library writes to it. */
#define JM_NVML_UNWRITTEN 0xa5

typedef struct
{
  guint pid;
  gint64 memory_bytes;    /* -1 where it is not known */
  gint64 utilization_ppm; /* the same */
} JmNvmlProcess;

/* Adds @n records to @processes, of JmNvmlProcess; one that is in there already is not
 * counted twice. @version is that of the function that wrote them, the first is 0. The
 * library says nowhere how large they are: drivers of branch 535 have had two sizes for
 * one function. So @bytes has room for @n of the largest, and was JM_NVML_UNWRITTEN
 * throughout. */
void jm_nvml_add_processes (GArray *processes,
                            const guint8 *bytes,
                            gsize n_bytes,
                            guint n,
                            guint version);

/* Gives each process the mean of its samples; no part of the time to one that has none,
 * as the library lists those alone that have run. */
void jm_nvml_add_samples (GArray *processes, const JmNvmlSample *samples, guint n);

/* The kind of an instance, such as `1g.10gb`, from its name, else from its attributes.
 */
char *jm_nvml_make_profile (const char *name, const JmNvmlAttributes *attributes);

/* The model of its device. */
char *jm_nvml_make_model (const char *name);

/* FALSE where there is no such number. */
gboolean jm_nvml_field_get (const JmNvmlField *field, guint64 *value);

/* The name of a bit of the mask of reasons, or NULL. */
const char *jm_nvml_get_reason (guint bit);

#define JM_NVML_N_REASONS 9

G_END_DECLS
