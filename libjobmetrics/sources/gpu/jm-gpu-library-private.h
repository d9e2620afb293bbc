/* jm-gpu-library-private.h: accelerators as a maker's library reports them, for
 * subclasses
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "host/jm-host.h"
#include "io/jm-call-thread-private.h"
#include "sources/gpu/jm-gpu-mapper.h"

G_BEGIN_DECLS

/* A function of a library, and where in a caller's table its pointer goes. */
typedef struct
{
  const char *name;
  gsize offset;
  gboolean is_required;
} JmDynamicSymbol;

#define JM_SYMBOL(table, member, name, is_required)                                    \
 {                                                                                     \
  name, G_STRUCT_OFFSET (table, member), is_required                                   \
 }

typedef struct _JmDynamicLibrary JmDynamicLibrary;

/* Loads the first of @sonames that there is, or the file @path where that is not NULL,
 * and fills in @table. What is not required and not there stays NULL.
 *
 * - Errors: `ABSENT` where no such library is installed, and on a copied tree unless
 *   @path is given; `DENIED` where it may not be read or mapped; `UNAVAILABLE` where it
 *   cannot be used, such as one that lacks a function which is required. */
JmDynamicLibrary *jm_dynamic_library_open (JmHost *host,
                                           const char *path,
                                           const char *const *sonames,
                                           const JmDynamicSymbol *symbols,
                                           guint n_symbols,
                                           gpointer table,
                                           GError **error);

/* No function of it may run or be called any more. */
void jm_dynamic_library_close (JmDynamicLibrary *self);

/* Keeps it loaded when it is closed: threads of its own may still run in it. */
void jm_dynamic_library_keep (JmDynamicLibrary *self);

/* The names of the functions that are not required and not there. */
const char *const *jm_dynamic_library_get_missing (JmDynamicLibrary *self);

/* What it was found as, for messages. */
const char *jm_dynamic_library_get_name (JmDynamicLibrary *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmDynamicLibrary, jm_dynamic_library_close)

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
  /* In the library's thread: adds the device's utilization and power, where it keeps no
   * samples of these itself; may be left out. Called ten times a second, and what
   * read() adds of them becomes the mean. */
  void (*look) (JmGpuLibrary *self, guint device, JmGpu *gpu, JmGpuReport *report);
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
