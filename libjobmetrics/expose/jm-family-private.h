/* jm-family-private.h: the families that are not in the metric table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-text-writer-private.h"

G_BEGIN_DECLS

/* What is said of jobs, collectors and the sweep besides measured figures. */
typedef enum
{
  JM_FAMILY_JOB_INFO,
  JM_FAMILY_JOB_FIELDS,
  JM_FAMILY_JOB_START_TIME,
  JM_FAMILY_JOB_END_TIME,
  JM_FAMILY_JOBS,
  JM_FAMILY_COLLECTOR_SUCCESS,
  JM_FAMILY_COLLECTOR_DENIED,
  JM_FAMILY_COLLECTOR_DURATION,
  JM_FAMILY_SWEEP_TIME,
  JM_FAMILY_SWEEP_DURATION,
} JmFamily;

#define JM_N_FAMILIES (JM_FAMILY_SWEEP_DURATION + 1)

typedef struct
{
  JmFamilyKind kind;
  const char *name;
  const char *labels; /* for people */
  const char *help;
} JmFamilyInfo;

const JmFamilyInfo *jm_family_get_info (JmFamily family);

G_END_DECLS
