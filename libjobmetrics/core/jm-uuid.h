/* jm-uuid.h: names that never change: RFC 4122 version 5
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "core/jm-version-macros.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
char *jm_uuid_for_job (const char *cluster, const char *job_id, const char *moment);

G_END_DECLS
