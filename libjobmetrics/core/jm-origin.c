/* jm-origin.c: where a field of a job comes from
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-private.h"

#define PATH (1u << JM_ORIGIN_PATH)
#define ENVIRONMENT (1u << JM_ORIGIN_ENVIRONMENT)
#define KERNEL (1u << JM_ORIGIN_KERNEL)
#define ROOT (1u << JM_ORIGIN_HOOK | 1u << JM_ORIGIN_CONFIGURATION)

static const char *const names[JM_N_ORIGINS] = {
  [JM_ORIGIN_NONE] = "none",
  [JM_ORIGIN_PATH] = "path",
  [JM_ORIGIN_ENVIRONMENT] = "environment",
  [JM_ORIGIN_KERNEL] = "kernel",
  [JM_ORIGIN_HOOK] = "hook",
  [JM_ORIGIN_CONFIGURATION] = "configuration",
};

/* What others rely on, as whom to charge and how to name the job for ever, is no user's
 * word. */
static const guint tellers[JM_N_JOB_FIELDS] = {
  [JM_JOB_FIELD_CLUSTER] = PATH | ROOT,
  [JM_JOB_FIELD_SCHEDULER] = PATH | ROOT,
  [JM_JOB_FIELD_ID] = PATH | KERNEL | ROOT,
  [JM_JOB_FIELD_UUID] = ROOT,
  [JM_JOB_FIELD_SLUID] = PATH | ROOT,
  [JM_JOB_FIELD_USER] = PATH | KERNEL | ROOT,
  [JM_JOB_FIELD_UID] = PATH | KERNEL | ROOT,
  [JM_JOB_FIELD_ACCOUNT] = ENVIRONMENT | ROOT,
  [JM_JOB_FIELD_PARTITION] = ENVIRONMENT | ROOT,
  [JM_JOB_FIELD_QOS] = ENVIRONMENT | ROOT,
  [JM_JOB_FIELD_NAME] = ENVIRONMENT | ROOT,
  [JM_JOB_FIELD_ARRAY_JOB_ID] = PATH | ENVIRONMENT | ROOT,
  [JM_JOB_FIELD_ARRAY_TASK_ID] = PATH | ENVIRONMENT | ROOT,
  [JM_JOB_FIELD_HET_JOB_ID] = ENVIRONMENT | ROOT,
  [JM_JOB_FIELD_HET_JOB_OFFSET] = ENVIRONMENT | ROOT,
  [JM_JOB_FIELD_NODES] = ENVIRONMENT | ROOT,
  [JM_JOB_FIELD_CPUS_GRANTED] = ENVIRONMENT | ROOT,
  [JM_JOB_FIELD_GPUS] = ENVIRONMENT | ROOT,
  [JM_JOB_FIELD_VISIBLE_GPUS] = ENVIRONMENT,
  [JM_JOB_FIELD_GPU_PERCENTAGE] = ENVIRONMENT | ROOT,
  [JM_JOB_FIELD_GPU_SHARDS] = ENVIRONMENT | ROOT,
  [JM_JOB_FIELD_SUBMIT_TIME] = ROOT,
  [JM_JOB_FIELD_START_TIME] = ROOT,
};

G_DEFINE_ENUM_TYPE (JmOrigin,
                    jm_origin,
                    G_DEFINE_ENUM_VALUE (JM_ORIGIN_NONE, "none"),
                    G_DEFINE_ENUM_VALUE (JM_ORIGIN_PATH, "path"),
                    G_DEFINE_ENUM_VALUE (JM_ORIGIN_ENVIRONMENT, "environment"),
                    G_DEFINE_ENUM_VALUE (JM_ORIGIN_KERNEL, "kernel"),
                    G_DEFINE_ENUM_VALUE (JM_ORIGIN_HOOK, "hook"),
                    G_DEFINE_ENUM_VALUE (JM_ORIGIN_CONFIGURATION, "configuration"))

/**
 * jm_origin_get_name:
 * @origin: an origin
 *
 * Gets the name by which labels and JSON call an origin.
 *
 * Returns: the name, such as `hook`
 * Since: 0.1
 */
const char *
jm_origin_get_name (JmOrigin origin)
{
  g_return_val_if_fail ((guint) origin < JM_N_ORIGINS, NULL);

  return names[origin];
}

/* Finds an origin by its name.
 *
 * Returns whether there is one of that name. */
gboolean
jm_origin_from_name (const char *name, JmOrigin *origin)
{
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (origin != NULL, FALSE);

  for (guint i = 0; i < JM_N_ORIGINS; i++)
    if (g_str_equal (names[i], name))
      {
        *origin = i;
        return TRUE;
      }

  return FALSE;
}

/* Asks whether what an origin says of a field is believed. An environment, which the
 * job's user can change, may set account, partition, names and numbers; never the
 * job's id, the cluster, the user, or a time.
 *
 * Returns whether it is. */
gboolean
jm_origin_may_tell (JmOrigin origin, JmJobField field)
{
  g_return_val_if_fail ((guint) origin < JM_N_ORIGINS, FALSE);
  g_return_val_if_fail ((guint) field < JM_N_JOB_FIELDS, FALSE);

  return (tellers[field] & 1u << origin) != 0;
}
