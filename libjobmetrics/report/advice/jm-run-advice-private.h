/* jm-run-advice-private.h: what the user of a run had better do
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/advice/jm-run-advice.h"

G_BEGIN_DECLS

gboolean jm_advice_level_from_name (const char *name, JmAdviceLevel *level);

/* Takes the three texts. */
JmRunAdvice *jm_run_advice_new_take (const char *rule,
                                     JmAdviceLevel level,
                                     char *title,
                                     char *reason,
                                     char *action);

G_END_DECLS
