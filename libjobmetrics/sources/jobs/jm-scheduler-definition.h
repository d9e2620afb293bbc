/* jm-scheduler-definition.h: how a scheduler's jobs are known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmSchedulerDefinition:
 *
 * How the jobs of one scheduler are known: what their cgroups are called, which
 * variables tell who they are, and where hooks leave files about them. Read from a key
 * file, so that a site can add a scheduler without compiling. An immutable record.
 *
 * Since: 0.1
 */
typedef struct _JmSchedulerDefinition JmSchedulerDefinition;

#define JM_TYPE_SCHEDULER_DEFINITION (jm_scheduler_definition_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_scheduler_definition_get_type (void);

JM_AVAILABLE_IN_ALL
JmSchedulerDefinition *jm_scheduler_definition_new_from_file (const char *path,
                                                              GError **error);

JM_AVAILABLE_IN_ALL
JmSchedulerDefinition *jm_scheduler_definition_ref (JmSchedulerDefinition *self);

JM_AVAILABLE_IN_ALL
void jm_scheduler_definition_unref (JmSchedulerDefinition *self);

JM_AVAILABLE_IN_ALL
const char *jm_scheduler_definition_get_name (JmSchedulerDefinition *self);

JM_AVAILABLE_IN_ALL
const char *jm_scheduler_definition_get_path (JmSchedulerDefinition *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSchedulerDefinition, jm_scheduler_definition_unref)

G_END_DECLS
