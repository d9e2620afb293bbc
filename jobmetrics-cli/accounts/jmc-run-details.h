/* jmc-run-details.h: one run of a site, with all of its parts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-run-part.h"
#include "core/jm-run.h"

G_BEGIN_DECLS

/* Kinds of parts that a run's document has; records are asked for by themselves. */
#define JMC_N_DETAIL_KINDS JM_RUN_PART_KIND_RECORD

/* JmcRunDetails:
 * @parts: of JmRunPart, by their kind */
typedef struct
{
  JmRun *run;
  GPtrArray *parts[JMC_N_DETAIL_KINDS];
} JmcRunDetails;

JmcRunDetails *jmc_run_details_new (JmRun *run);
void jmc_run_details_free (JmcRunDetails *self);

/* What a server's document calls parts of that kind. */
const char *jmc_run_details_get_name (JmRunPartKind kind);

/* The same document. */
void jmc_run_details_append_json (JmcRunDetails *self, GString *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcRunDetails, jmc_run_details_free)

G_END_DECLS
