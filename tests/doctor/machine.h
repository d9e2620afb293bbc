/* machine.h: a made-up machine that the doctor finds sound
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "../sources/jobs/tree.h"
#include "doctor/jm-doctor.h"

#define CGROUP "sys/fs/cgroup/"
#define SCOPE "sys/fs/cgroup/system.slice/slurmstepd.scope/"
#define JOB SCOPE "job_7/"
#define HOOKS "run/jobmetrics/jobs/"
#define PROPERTIES                                                                     \
 "SLURM_JOB_ID=7\nSLURM_JOB_UID=1000\nSLURM_JOB_USER=alice\nSLURM_JOB_ACCOUNT=lab\n"

#define HWMON "sys/class/hwmon/hwmon0/"
#define ALL "cpuset cpu io memory pids\n"
#define MOUNT_V2 "25 1 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"

/* A machine of Slurm on cgroup v2 where all is as it should be: what a test takes away
 * is what is missing. */
typedef struct
{
  Tree *tree;
  const char *definitions; /* NULL: those of jobmetrics */
  const char *source;      /* that is configured, or NULL */
  const char *gpus;        /* the same */
  const char *provider;    /* the same */
  const char *fallback;    /* a second one; or NULL */
} Machine;

void machine_put (Machine *self, const char *path, const char *text);
void machine_take_away (Machine *self, const char *path);
void machine_put_job (Machine *self, const char *directory);
void machine_put_process (Machine *self, const char *const *environment);
void machine_set_up (Machine *self, gconstpointer data);
void machine_tear_down (Machine *self, gconstpointer data);
GPtrArray *machine_examine (Machine *self);
GPtrArray *examine_fixture (const char *name);

/* The worst that was found of a topic. */
JmFinding *find_finding (GPtrArray *findings, const char *topic);

void assert_says (const char *text, const char *words);

/* @seen and @remedy are NULL where it does not matter what they say. */
void assert_found (GPtrArray *findings,
                   const char *topic,
                   JmSeverity severity,
                   const char *seen,
                   const char *remedy);
void assert_examined (Machine *self,
                      const char *topic,
                      JmSeverity severity,
                      const char *seen,
                      const char *remedy);
