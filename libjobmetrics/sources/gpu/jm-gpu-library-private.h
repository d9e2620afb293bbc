/* jm-gpu-library-private.h: accelerators as a maker's library tells them, for
 * subclasses
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/gpu/jm-dynamic-library-private.h"
#include "sources/gpu/jm-gpu-library.h"

G_BEGIN_DECLS

/* The file that is named in place of the usual library, or NULL. */
const char *jm_gpu_library_get_path (JmGpuLibrary *self);

/* jm_dynamic_library_open() for this source's host and file. */
JmDynamicLibrary *jm_gpu_library_load (JmGpuLibrary *self,
                                       const char *const *sonames,
                                       const JmDynamicSymbol *symbols,
                                       guint n_symbols,
                                       gpointer table,
                                       GError **error);

/* What people should know of the library, such as functions that it lacks: each for
 * itself, NULL-terminated. From any thread. */
char **jm_gpu_library_list_facts (JmGpuLibrary *self);

G_END_DECLS
