/* jm-job-record-private.h: how a record is made
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-record.h"

G_BEGIN_DECLS

/* What a total covers, such as `life`, `cpu`, `energy.package` or `energy.package.0`.
 */
typedef struct
{
  const char *what;
  double ratio; /* 0 to 1: how much of it was observed */
  JmTotalMethod method;
} JmCoverage;

/* Limits of what a record covers, for who writes it and who reads it. */
#define JM_RECORD_MAX_COVERAGES 1024
gboolean jm_coverage_check_name (const char *what);

/* All that a record is made of; it is copied, or referenced. */
typedef struct
{
  JmJob *job;
  const char *node; /* NULL where it has no name */
  JmRunState state;
  gint64 begin_us; /* since 1970: of its first process, else when it was first seen */
  gint64 end_us;   /* 0 while it runs */
  gint64 seen_us;  /* when it was read last */
  /* Of the job: the node first, which may have no figures, then the job, its parts and
   * its accelerators. */
  JmSnapshot *snapshot;
  JmJobProfile *profile; /* NULL for none */
  const JmCoverage *coverage;
  guint n_coverage;
  const char *text; /* the record as its writer wrote it, without position; or NULL */
} JmJobRecordContent;

JmJobRecord *jm_job_record_new (const JmJobRecordContent *content);

/* The same record at another place of a ledger. */
JmJobRecord *jm_job_record_at (JmJobRecord *self, guint64 position);

const char *jm_job_record_get_text (JmJobRecord *self);

const JmCoverage *jm_job_record_get_coverages (JmJobRecord *self, guint *n_coverage);

gboolean jm_total_method_from_name (const char *name, JmTotalMethod *method);

G_END_DECLS
