/* jm-place.h: which job, step and task a cgroup is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-metric.h"

G_BEGIN_DECLS

/**
 * JmPlace:
 *
 * The job, step and task of a cgroup, by its path: an immutable record.
 *
 * Since: 0.1
 */
typedef struct _JmPlace JmPlace;

#define JM_TYPE_PLACE (jm_place_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_place_get_type (void);

JM_AVAILABLE_IN_ALL
JmPlace *jm_place_new (const char *job, const char *step, const char *task);

JM_AVAILABLE_IN_ALL
void jm_place_unref (JmPlace *self);

JM_AVAILABLE_IN_ALL
const char *jm_place_get_job (JmPlace *self);

JM_AVAILABLE_IN_ALL
const char *jm_place_get_step (JmPlace *self);

JM_AVAILABLE_IN_ALL
const char *jm_place_get_task (JmPlace *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPlace, jm_place_unref)

G_END_DECLS
