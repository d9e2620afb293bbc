/* jmc-suggestion-page.h: a suggestion as people read it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "accounts/jmc-batch-script.h"
#include "report/advice/jm-run-suggestion.h"

G_BEGIN_DECLS

/* A sentence, the options of sbatch, and the figures. @width: of a terminal, 0 for none.
 * @is_full: the other policies are there, too. */
void jmc_suggestion_page_append (GString *text,
                                 JmRunSuggestion *suggestion,
                                 const JmcBatchScript *script,
                                 gboolean is_full,
                                 guint width,
                                 gboolean color);

G_END_DECLS
