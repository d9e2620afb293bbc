/* jm-family.c: the families that are not in the metric table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-family-private.h"

/* clang-format off */
static const JmFamilyInfo families[JM_N_FAMILIES] = {
  [JM_FAMILY_JOB_INFO] = {
    JM_FAMILY_KIND_INFO, "jobmetrics_job_info", "jobid, uuid and the fields chosen",
    "Who and where a job is; the value is always 1." },
  [JM_FAMILY_JOB_FIELDS] = {
    JM_FAMILY_KIND_GAUGE, "jobmetrics_job_fields", "jobid, origin",
    "Fields of the job's identity that came from one origin: path, environment, kernel, hook or configuration." },
  [JM_FAMILY_JOB_START_TIME] = {
    JM_FAMILY_KIND_GAUGE, "jobmetrics_job_start_time_seconds", "jobid",
    "When the job started, seconds since 1970; absent where unknown." },
  [JM_FAMILY_JOB_END_TIME] = {
    JM_FAMILY_KIND_GAUGE, "jobmetrics_job_end_time_seconds", "jobid",
    "When the job was seen to have ended, seconds since 1970; its last figures stay a while." },
  [JM_FAMILY_JOBS] = {
    JM_FAMILY_KIND_GAUGE, "jobmetrics_jobs", "state",
    "Jobs that are shown: running, or ended and still on display." },
  [JM_FAMILY_COLLECTOR_SUCCESS] = {
    JM_FAMILY_KIND_GAUGE, "jobmetrics_collector_success", "collector",
    "Whether a collector could read in the last sweep all that it looked for and has the right to." },
  [JM_FAMILY_COLLECTOR_DENIED] = {
    JM_FAMILY_KIND_GAUGE, "jobmetrics_collector_denied", "collector",
    "Whether a collector lacked a right to something that it looked for in the last sweep." },
  [JM_FAMILY_COLLECTOR_DURATION] = {
    JM_FAMILY_KIND_GAUGE, "jobmetrics_collector_duration_seconds", "collector",
    "Time that a collector took in the last sweep." },
  [JM_FAMILY_SWEEP_TIME] = {
    JM_FAMILY_KIND_GAUGE, "jobmetrics_sweep_time_seconds", NULL,
    "When the last sweep of the node began, seconds since 1970." },
  [JM_FAMILY_SWEEP_DURATION] = {
    JM_FAMILY_KIND_GAUGE, "jobmetrics_sweep_duration_seconds", NULL,
    "Time that the last sweep of the node took." },
};
/* clang-format on */

const JmFamilyInfo *
jm_family_get_info (JmFamily family)
{
  return &families[family];
}
