/* jm-uuid-private.h: names that never change: RFC 4122 version 5
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "base/jm-version-macros.h"

G_BEGIN_DECLS

char *jm_uuid_for_job (const char *cluster, const char *job_id, gint64 start_time);

char *
jm_uuid_for_submission (const char *cluster, const char *job_id, gint64 submit_time);

char *jm_uuid_for_unique_id (const char *scheduler, const char *id);

/* Whether it is a SLUID, as Slurm 26.05 and later give each run one. */
gboolean jm_is_sluid (const char *text, gsize length);

G_END_DECLS
