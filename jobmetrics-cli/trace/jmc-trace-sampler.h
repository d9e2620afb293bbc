/* jmc-trace-sampler.h: what a command and all that came of it use
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "run/jmc-child.h"
#include "run/jmc-process-tree.h"
#include "store/jm-trace-record-private.h"

G_BEGIN_DECLS

typedef struct _JmcTraceSampler JmcTraceSampler;

/* @tree and @child outlive it. */
JmcTraceSampler *
jmc_trace_sampler_new (JmHost *host, JmcProcessTree *tree, JmcChild *child);
void jmc_trace_sampler_free (JmcTraceSampler *self);

/* Sums up into the figures of @record; CPU time over the time since the last one. */
void jmc_trace_sampler_take (JmcTraceSampler *self, JmTraceRecord *record);

/* A process was waited for: what it read and wrote stays in the sums. */
void jmc_trace_sampler_note_end (JmcTraceSampler *self, pid_t pid);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcTraceSampler, jmc_trace_sampler_free)

G_END_DECLS
