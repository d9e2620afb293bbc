/* jm-registry-private.h: sources by the names that administrators call them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jm-source.h"

G_BEGIN_DECLS

/* In a list of specifications: what this host has. */
#define JM_REGISTRY_FOUND "auto"

/* What a source is asked for. */
typedef enum
{
  JM_REGISTRY_POWER,
  JM_REGISTRY_EMISSIONS,
} JmRegistryKind;

/* A source that was opened, and what series call it. */
typedef struct
{
  char *name;
  JmSource *source;
  gboolean is_open;
} JmNamedSource;

JmNamedSource *jm_named_source_new (const char *name, JmSource *source);
gboolean jm_named_source_open (JmNamedSource *self, GError **error);
void jm_named_source_free (JmNamedSource *self);

/* Makes the source of a specification: its name, then its properties, such as
 * `ipmi,interval=30` or `owid,zone=FR`. A value with a comma in it stands between
 * double quotes. What is wrong with it is named. The source is not open: nothing was
 * asked yet, and g_initable_init() does that. */
JmNamedSource *jm_registry_make (JmRegistryKind kind,
                                 const char *specification,
                                 JmHost *host,
                                 GError **error);

/* Makes the source of a specification and opens it. */
JmNamedSource *jm_registry_open (JmRegistryKind kind,
                                 const char *specification,
                                 JmHost *host,
                                 GError **error);

/* Opens what this host has of sources that need not be told anything, the best first;
 * of those that tell the same, one. What is there and cannot be opened goes to
 * @problems, of GError. */
void jm_registry_open_found (JmRegistryKind kind,
                             JmHost *host,
                             GPtrArray *sources,
                             GPtrArray *problems);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmNamedSource, jm_named_source_free)

G_END_DECLS
