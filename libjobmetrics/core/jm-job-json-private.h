/* jm-job-json-private.h: who a job is, as JSON, and back
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "core/jm-job.h"

G_BEGIN_DECLS

/* Adds who a job is, by whose word, and when it ended, as members of @object; 0 while
 * it runs. */
void jm_job_json_add (JsonObject *object, JmJob *job, gint64 end_us);

/* Adds what else its cgroup is called, for programs of this library alone. */
void jm_job_json_add_alias (JsonObject *object, JmJob *job);

/* The job of such members; NULL where they break the format in any place, with the name
 * of the member. Members that are not known are passed over. */
JmJob *jm_job_json_read (JsonNode *node, const char **bad);

G_END_DECLS
