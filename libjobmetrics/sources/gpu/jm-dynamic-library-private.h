/* jm-dynamic-library-private.h: a library that is looked for at run time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

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

G_END_DECLS
