/* jme-suggestion.h: what the next run of a job should ask for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "judge/jm-run-suggestion.h"
#include "server/jme-answer.h"

G_BEGIN_DECLS

/* Suggests by the runs of @filter that the viewer may see. It sets period, order and
 * limit of the filter. Waits that cannot be read are left out, which is logged. NULL on
 * error.
 *
 * - Errors: those of the store. */
JmRunSuggestion *jme_suggestion_find (JmeAnswer *answer,
                                      JmRunFilter *filter,
                                      double confidence,
                                      GError **error);

/* `/api/v1/suggestion`, of a JmeArchive. */
extern const JmeRoute jme_suggestion_routes[];

G_END_DECLS
