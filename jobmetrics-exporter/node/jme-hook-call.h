/* jme-hook-call.h: what a scheduler's hook says of a job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* No hook says more. */
#define JME_HOOK_CALL_MAX_BYTES 1024

/* JmeHookCall:
 * @job: what the job is called
 * @scheduler: (nullable): whose job it is, as the hook says
 *
 * One job that begins or ends. */
typedef struct
{
  char *job;
  char *scheduler;
} JmeHookCall;

/* Reads the body of a request, `job=JOB&scheduler=NAME` as a form has it.
 *
 * - Errors: `MALFORMED` with the name and the value that is wrong. */
JmeHookCall *jme_hook_call_parse (GBytes *body, GError **error);

void jme_hook_call_free (JmeHookCall *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeHookCall, jme_hook_call_free)

G_END_DECLS
