/* jm-run-record-private.h: a node's record as a site has it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-record.h"
#include "core/jm-run.h"

G_BEGIN_DECLS

/* Who and when it was; what it used stands in the parts. */
JmRun *jm_run_record_to_run (JmJobRecord *record, const char *cluster);

/* The node, steps, accelerators and energy: of JmRunPart. */
GPtrArray *jm_run_record_to_parts (JmJobRecord *record);

/* Empty where it has no name. */
const char *jm_run_record_get_node (JmJobRecord *record);

/* The records among a run's parts, of JmJobRecord; one that is broken is left out. */
GPtrArray *jm_run_record_unpack_all (JmRun *run);

G_END_DECLS
