/* jm-collector-set.h: some of the collectors
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-metric.h"

G_BEGIN_DECLS

/**
 * JmCollectorSet:
 *
 * Some of the collectors: a plain value, which is copied by assignment. All zeroes are
 * none of them.
 *
 * Since: 0.1
 */
typedef struct
{
  /*< private >*/
  guint64 words[2];
} JmCollectorSet;

#define JM_TYPE_COLLECTOR_SET (jm_collector_set_get_type ())

/**
 * JM_COLLECTOR_SET: (skip)
 * @...: one or more #JmCollector
 *
 * A set of those collectors, as a pointer to what lives as long as the block does.
 *
 * Since: 0.1
 */
#define JM_COLLECTOR_SET(...)                                                          \
 jm_collector_set_fill (&(JmCollectorSet){ { 0 } },                                    \
                        (const JmCollector[]){ __VA_ARGS__ },                          \
                        sizeof ((const JmCollector[]){ __VA_ARGS__ }) /                \
                          sizeof (JmCollector))

JM_AVAILABLE_IN_ALL
GType jm_collector_set_get_type (void);

JM_AVAILABLE_IN_ALL
JmCollectorSet *jm_collector_set_new (void);

JM_AVAILABLE_IN_ALL
const JmCollectorSet *jm_collector_set_get_all (void);

JM_AVAILABLE_IN_ALL
JmCollectorSet *jm_collector_set_new_usual (void);

JM_AVAILABLE_IN_ALL
JmCollectorSet *jm_collector_set_copy (const JmCollectorSet *self);

JM_AVAILABLE_IN_ALL
void jm_collector_set_free (JmCollectorSet *self);

JM_AVAILABLE_IN_ALL
const JmCollectorSet *jm_collector_set_fill (JmCollectorSet *self,
                                             const JmCollector *collectors,
                                             gsize n_collectors);

JM_AVAILABLE_IN_ALL
void jm_collector_set_add (JmCollectorSet *self, JmCollector collector);

JM_AVAILABLE_IN_ALL
gboolean jm_collector_set_add_names (JmCollectorSet *self,
                                     const char *const *names,
                                     GError **error);

JM_AVAILABLE_IN_ALL
void jm_collector_set_subtract (JmCollectorSet *self, const JmCollectorSet *other);

JM_AVAILABLE_IN_ALL
gboolean jm_collector_set_has (const JmCollectorSet *self, JmCollector collector);

JM_AVAILABLE_IN_ALL
gboolean jm_collector_set_is_empty (const JmCollectorSet *self);

JM_AVAILABLE_IN_ALL
gboolean jm_collector_set_equal (const JmCollectorSet *self,
                                 const JmCollectorSet *other);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCollectorSet, jm_collector_set_free)

G_END_DECLS
