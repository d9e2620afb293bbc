/* jm-source-set-private.h: all that a node has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-source.h"
#include "registry/jm-registry-private.h"
#include "registry/jm-registry.h"

G_BEGIN_DECLS

/* Copies @error, which is why it does not work, or NULL. */
JmSourceInfo *jm_source_info_new (JmSourceKind kind,
                                  const char *name,
                                  JmSourceState state,
                                  const GError *error);

/* One of those that a node has. */
typedef struct
{
  JmSourceKind kind;
  char *name;
  JmSource *source;     /* open or not; NULL where it could not be made */
  GError *error;        /* why it could not be made, or NULL */
  gboolean is_wanted;   /* every node should have it, or somebody asked for it */
  gboolean is_required; /* it is missed where it is absent */
  gboolean is_superseded;
} JmSourceEntry;

/* All that a node has: job sources, cgroup readers, its totals, processes, power
 * sources and emission providers, in the order in which they are asked. */
typedef struct _JmSourceSet JmSourceSet;

/* Opens what @plan wants and what the host has. Invalid sources are an error; what
 * the host lacks costs its own figures, and its entry says why. */
JmSourceSet *jm_source_set_open (const JmSourcePlan *plan, GError **error);
void jm_source_set_free (JmSourceSet *self);

/* Adds one that was written elsewhere, by the name of its type; to each of its kinds.
 */
void jm_source_set_add (JmSourceSet *self, JmSource *source);

/* Of JmSourceEntry; the set's own. Entries are never taken away. */
const GPtrArray *jm_source_set_get_entries (JmSourceSet *self);

/* The first of a kind that is open, or NULL. */
gpointer jm_source_set_find (JmSourceSet *self, JmSourceKind kind);

/* Why a source does not work, or NULL. */
const GError *jm_source_entry_get_error (const JmSourceEntry *entry);

/* Of JmSourceInfo, as they are now. */
GPtrArray *jm_source_set_list (JmSourceSet *self);

/* Adds the messages of those that are wanted and cannot be had. */
void jm_source_set_list_problems (JmSourceSet *self, GStrvBuilder *problems);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSourceSet, jm_source_set_free)

G_END_DECLS
