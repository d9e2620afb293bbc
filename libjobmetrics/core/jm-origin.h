/* jm-origin.h: who told a field of a job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-field.h"

G_BEGIN_DECLS

/**
 * JmOrigin:
 * @JM_ORIGIN_NONE: nobody: the field is not known
 * @JM_ORIGIN_PATH: the path of the job's cgroup, which the scheduler made
 * @JM_ORIGIN_ENVIRONMENT: the environment of one of the job's processes, which its user
 *   can change
 * @JM_ORIGIN_KERNEL: the kernel: whom the job's processes run for
 * @JM_ORIGIN_HOOK: a file that only root writes: the scheduler's hook left it, or it is
 *   the scheduler's own configuration
 * @JM_ORIGIN_CONFIGURATION: the configuration of jobmetrics
 *
 * Who told a field of a job, the less reliable first. What one of them told never takes
 * the place of what a more reliable one did.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_ORIGIN_NONE,
  JM_ORIGIN_PATH,
  JM_ORIGIN_ENVIRONMENT,
  JM_ORIGIN_KERNEL,
  JM_ORIGIN_HOOK,
  JM_ORIGIN_CONFIGURATION,
} JmOrigin;

/**
 * JM_N_ORIGINS:
 *
 * How many #JmOrigin there are.
 *
 * Since: 0.1
 */
#define JM_N_ORIGINS (JM_ORIGIN_CONFIGURATION + 1)

#define JM_TYPE_ORIGIN (jm_origin_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_origin_get_type (void);

JM_AVAILABLE_IN_ALL
const char *jm_origin_get_name (JmOrigin origin);

JM_AVAILABLE_IN_ALL
gboolean jm_origin_from_name (const char *name, JmOrigin *origin);

JM_AVAILABLE_IN_ALL
gboolean jm_origin_may_tell (JmOrigin origin, JmJobField field);

G_END_DECLS
