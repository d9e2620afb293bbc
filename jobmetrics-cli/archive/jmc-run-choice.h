/* jmc-run-choice.h: which run of the archive an id means
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-archive.h"

G_BEGIN_DECLS

/* The uuid of the newest run of a job, which may be NULL for any of one's own. Says on
 * standard error where there are others.
 *
 * - Errors: ABSENT where there is none. */
char *jmc_run_choice_find (JmArchive *archive,
                           const char *job,
                           const char *cluster,
                           GError **error);

G_END_DECLS
