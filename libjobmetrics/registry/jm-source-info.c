/* jm-source-info.c: one of a node's sources, and how it fares
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "registry/jm-source-set-private.h"

struct _JmSourceInfo
{
  JmSourceKind kind;
  char *name;
  JmSourceState state;
  GError *error; /* or NULL */
};

G_DEFINE_ENUM_TYPE (JmSourceKind,
                    jm_source_kind,
                    G_DEFINE_ENUM_VALUE (JM_SOURCE_KIND_JOBS, "jobs"),
                    G_DEFINE_ENUM_VALUE (JM_SOURCE_KIND_CGROUPS, "cgroups"),
                    G_DEFINE_ENUM_VALUE (JM_SOURCE_KIND_MACHINE, "machine"),
                    G_DEFINE_ENUM_VALUE (JM_SOURCE_KIND_PROCESSES, "processes"),
                    G_DEFINE_ENUM_VALUE (JM_SOURCE_KIND_POWER, "power"),
                    G_DEFINE_ENUM_VALUE (JM_SOURCE_KIND_GPUS, "gpus"),
                    G_DEFINE_ENUM_VALUE (JM_SOURCE_KIND_EMISSIONS, "emissions"),
                    G_DEFINE_ENUM_VALUE (JM_SOURCE_KIND_COUNTERS, "counters"),
                    G_DEFINE_ENUM_VALUE (JM_SOURCE_KIND_SCHEDULER, "scheduler"),
                    G_DEFINE_ENUM_VALUE (JM_SOURCE_KIND_HISTORY, "history"))

G_DEFINE_ENUM_TYPE (JmSourceState,
                    jm_source_state,
                    G_DEFINE_ENUM_VALUE (JM_SOURCE_STATE_WORKING, "working"),
                    G_DEFINE_ENUM_VALUE (JM_SOURCE_STATE_ABSENT, "absent"),
                    G_DEFINE_ENUM_VALUE (JM_SOURCE_STATE_FAILED, "failed"),
                    G_DEFINE_ENUM_VALUE (JM_SOURCE_STATE_SUPERSEDED, "superseded"))

G_DEFINE_BOXED_TYPE (JmSourceInfo,
                     jm_source_info,
                     g_atomic_rc_box_acquire,
                     jm_source_info_unref)

JmSourceInfo *
jm_source_info_new (JmSourceKind kind,
                    const char *name,
                    JmSourceState state,
                    const GError *error)
{
  JmSourceInfo *self = g_atomic_rc_box_new0 (JmSourceInfo);

  self->kind = kind;
  self->name = g_strdup (name);
  self->state = state;
  self->error = error != NULL ? g_error_copy (error) : NULL;

  return self;
}

static void
source_info_clear (JmSourceInfo *self)
{
  g_free (self->name);
  g_clear_error (&self->error);
}

/**
 * jm_source_info_unref:
 * @self: (transfer full): a record
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_source_info_unref (JmSourceInfo *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) source_info_clear);
}

/**
 * jm_source_info_get_kind:
 * @self: a record
 *
 * Gets what the source is asked for.
 *
 * Returns: the kind
 * Since: 0.1
 */
JmSourceKind
jm_source_info_get_kind (JmSourceInfo *self)
{
  g_return_val_if_fail (self != NULL, JM_SOURCE_KIND_JOBS);

  return self->kind;
}

/**
 * jm_source_info_get_name:
 * @self: a record
 *
 * Gets what the source is called in settings and figures; of one that was added, its
 * type's name.
 *
 * Returns: the name
 * Since: 0.1
 */
const char *
jm_source_info_get_name (JmSourceInfo *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

/**
 * jm_source_info_get_state:
 * @self: a record
 *
 * Gets how the source fared.
 *
 * Returns: the state
 * Since: 0.1
 */
JmSourceState
jm_source_info_get_state (JmSourceInfo *self)
{
  g_return_val_if_fail (self != NULL, JM_SOURCE_STATE_ABSENT);

  return self->state;
}

/**
 * jm_source_info_get_error:
 * @self: a record
 *
 * Gets why the source does not work.
 *
 * Returns: (transfer none) (nullable): the error; %NULL where it works, or another one
 *   reports the same
 * Since: 0.1
 */
const GError *
jm_source_info_get_error (JmSourceInfo *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->error;
}
