/* jm-spool-places-private.h: where the spool directories of a scheduler are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmSpoolPlaces:
 *
 * Absolute patterns of directories: `*` in a name stands for any text, `%n` for what
 * this machine is called, with and without its domain.
 */
typedef struct _JmSpoolPlaces JmSpoolPlaces;

/* @node_name is what the machine is called; NULL for what it calls itself. */
JmSpoolPlaces *
jm_spool_places_new (JmHost *host, const char *const *patterns, const char *node_name);
void jm_spool_places_free (JmSpoolPlaces *self);

/* What the machine is called; NULL where that is not known. */
const char *jm_spool_places_get_node_name (const JmSpoolPlaces *self);

/* Adds to @found the directories that there are, and to @awaited those in which one
 * that leads to more may yet come; strings that the arrays free. */
void jm_spool_places_find (JmSpoolPlaces *self, GPtrArray *found, GPtrArray *awaited);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSpoolPlaces, jm_spool_places_free)

G_END_DECLS
