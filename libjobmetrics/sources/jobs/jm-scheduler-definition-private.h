/* jm-scheduler-definition-private.h: what our own files ask of a definition
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"
#include "host/jm-data-private.h"
#include "sources/jobs/jm-definition-groups-private.h"
#include "sources/jobs/jm-variable-names-private.h"

G_BEGIN_DECLS

/*
 * JmSchedulerDefinition:
 *
 * How the jobs of one scheduler are known: what their cgroups are called, which
 * variables say who they are, and where hooks leave files about them. Read from a key
 * file, so that a site can add a scheduler without compiling. An immutable record.
 */
typedef struct _JmSchedulerDefinition JmSchedulerDefinition;

#define JM_TYPE_SCHEDULER_DEFINITION (jm_scheduler_definition_get_type ())

GType jm_scheduler_definition_get_type (void);

JmSchedulerDefinition *jm_scheduler_definition_new_from_file (const char *path,
                                                              GError **error);

JmSchedulerDefinition *jm_scheduler_definition_ref (JmSchedulerDefinition *self);

void jm_scheduler_definition_unref (JmSchedulerDefinition *self);

const char *jm_scheduler_definition_get_name (JmSchedulerDefinition *self);

const char *jm_scheduler_definition_get_path (JmSchedulerDefinition *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSchedulerDefinition, jm_scheduler_definition_unref)

JmSchedulerDefinition *jm_scheduler_definition_new_from_text (const char *path,
                                                              const char *text,
                                                              gsize length,
                                                              GError **error);

JmSchedulerDefinition *jm_scheduler_definition_new_from_data (const JmDataFile *file,
                                                              GError **error);

const JmCgroupLayout *jm_scheduler_definition_get_layout (JmSchedulerDefinition *self);

const JmVariableNames *
jm_scheduler_definition_get_variables (JmSchedulerDefinition *self);

const JmClusterFile *
jm_scheduler_definition_get_cluster_file (JmSchedulerDefinition *self);

const JmSchedulerHook *jm_scheduler_definition_get_hook (JmSchedulerDefinition *self);

const JmIdentityRules *
jm_scheduler_definition_get_identity_rules (JmSchedulerDefinition *self);
const JmLookup *jm_scheduler_definition_get_lookup (JmSchedulerDefinition *self,
                                                    guint number);

const JmSchedulerSpool *jm_scheduler_definition_get_spool (JmSchedulerDefinition *self);
const char *const *jm_scheduler_definition_get_helpers (JmSchedulerDefinition *self);
const char *jm_scheduler_definition_get_advice (JmSchedulerDefinition *self,
                                                const char *topic);

G_END_DECLS
