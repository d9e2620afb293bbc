/* jm-process-rules-private.h: which processes are a scheduler's own helpers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-dir-private.h"

G_BEGIN_DECLS

/**
 * JmProcessRule:
 * @comm: its command name
 * @arguments: (nullable): its whole command line, blanks between the words
 *
 * What a helper of a scheduler looks like. All user ids of a helper are root's,
 * whatever the rule says: each of the rest a user can put on.
 */
typedef struct
{
  const char *comm;
  const char *arguments;
} JmProcessRule;

gboolean jm_process_rules_match (const JmDir *process, const char *comm);
gboolean jm_process_is_root (const JmDir *process);

G_END_DECLS
