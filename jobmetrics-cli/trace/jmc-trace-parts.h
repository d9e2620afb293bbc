/* jmc-trace-parts.h: what a traced command uses, and how an exporter gets it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

#include "base/jm-trace-record-private.h"
#include "run/jmc-child.h"
#include "run/jmc-process-tree.h"

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

typedef struct _JmcTraceSender JmcTraceSender;

/* JmcTraceTarget:
 * @url: where the exporter is
 * @socket: (nullable): the path of its local socket, which is used then
 * @token: (nullable): what it knows us by
 * @timeout_ms: how long it may take for an answer
 *
 * The texts are copied. */
typedef struct
{
  const char *url;
  const char *socket;
  const char *token;
  guint timeout_ms;
} JmcTraceTarget;

JmcTraceSender *jmc_trace_sender_new (const JmcTraceTarget *target);

/* Gives up what is under way, and waits for nobody. */
void jmc_trace_sender_free (JmcTraceSender *self);

/* Sends @body in a thread; the last one counts where the exporter is slow. The first
 * failure is said, others are not. */
void jmc_trace_sender_send (JmcTraceSender *self, const char *body);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcTraceSender, jmc_trace_sender_free)

G_END_DECLS
