/* jm-gpu-library-private.h: accelerators as a maker's library tells them, for
 * subclasses
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/gpu/jm-dynamic-library-private.h"
#include "sources/gpu/jm-gpu-mapper.h"

G_BEGIN_DECLS

#define JM_TYPE_GPU_LIBRARY (jm_gpu_library_get_type ())

G_DECLARE_DERIVABLE_TYPE (JmGpuLibrary, jm_gpu_library, JM, GPU_LIBRARY, JmSource)

/*
 * JmGpuLibraryClass:
 * @parent_class: the parent class
 *
 * The class of libraries that are asked in a thread of their own.
 *
 * A call that does not return is left behind with its thread, and meanwhile other
 * devices are read in another thread: read() may use what is its device's, and what no
 * call changes. list() is not called then; where it is the one that does not return,
 * the devices that it listed before are read, so what it makes is put in place at its
 * end.
 */
struct _JmGpuLibraryClass
{
  JmSourceClass parent_class;

  const char *thread_name;
  /* Finds the library or files; quick, in the thread that opens the source. Once more
   * where opening is tried again. */
  gboolean (*load) (JmGpuLibrary *self, GError **error);
  /* In the library's thread: starts it up where that is not done, and adds its devices,
   * of JmGpu, to @gpus, each instance behind its parent. */
  gboolean (*list) (JmGpuLibrary *self, GPtrArray *gpus, GError **error);
  /* In the library's thread: adds what the device of that number in the list does;
   * @report has the device already. An error means that the device gave no
   * answer at all. */
  gboolean (*read) (JmGpuLibrary *self,
                    guint device,
                    JmGpu *gpu,
                    JmGpuReport *report,
                    GError **error);
  /* In the library's thread: ends what list() started; may be left out. Not called
   * where another call has not returned. */
  void (*stop) (JmGpuLibrary *self);
  /* From any thread: adds what people should know of the devices' modes; may be left
   * out. */
  void (*add_facts) (JmGpuLibrary *self, GStrvBuilder *facts);
};

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
