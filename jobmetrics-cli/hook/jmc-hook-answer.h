/* jmc-hook-answer.h: what the exporter answers a hook
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The longest answer that is looked at: the exporter's have some hundred bytes. */
#define JMC_HOOK_ANSWER_MAX 4096

/* JmcHookAnswer:
 * @status: of HTTP, from 100 to 999
 * @reason: the first line of the body, as one may print it; empty where there is none */
typedef struct
{
  guint status;
  char reason[128];
} JmcHookAnswer;

/* Reads the beginning of an answer in HTTP/1. FALSE where it is none. */
gboolean jmc_hook_answer_parse (const char *data, gsize length, JmcHookAnswer *answer);

G_END_DECLS
