/* jmc-top-node.c: a made-up node for the tests of top
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-top-node.h"

#include "../../core/made-job.h"
#include "../../expose/jm-snapshot-builder.h"

Sweep *
sweep_new (void)
{
  Sweep *self = jm_snapshot_builder_new (jm_collector_set_get_all ());

  jm_snapshot_builder_set_time (self, NOW * G_USEC_PER_SEC);

  return self;
}

/* The uuid is made of the id. */
void
sweep_add_job (Sweep *self, const char *id, const char *user, const char *name)
{
  const char *const fields[JM_N_JOB_FIELDS] = {
    [JM_JOB_FIELD_ID] = id,
    [JM_JOB_FIELD_USER] = user,
    [JM_JOB_FIELD_NAME] = name,
    [JM_JOB_FIELD_SCHEDULER] = "slurm",
    [JM_JOB_FIELD_START_TIME] = "1699996400",
  };
  g_autoptr (JmJob) job = made_job_new (fields, JM_ORIGIN_HOOK);

  jm_snapshot_builder_add_job (self, job);
}

void
sweep_end_job (Sweep *self)
{
  jm_snapshot_builder_set_end_time (self, NOW * G_USEC_PER_SEC);
}

JmSnapshot *
sweep_finish (Sweep *self)
{
  JmSnapshot *snapshot = jm_snapshot_builder_end (self);

  jm_snapshot_builder_free (self);

  return snapshot;
}
