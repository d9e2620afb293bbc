/* jm-profile-json-private.h: a profile as JSON, and back
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "core/jm-job-profile.h"

G_BEGIN_DECLS

/* `{begin_time, interval_seconds, points, series: {NAME: {values, peaks,
 * seen_seconds}}}`. In an array there is an element for each point, null where nothing
 * was observed; a sum has no peaks, and `seen_seconds` is there if any point was
 * observed for a part only. Sums and peaks are exact up to 2^53 of the smallest unit;
 * means are rounded to that, and of what is counted to a thousandth. */
JsonNode *jm_profile_json_encode (JmJobProfile *profile);

/* NULL where it breaks that in any place; series that are not known are passed over. */
JmJobProfile *jm_profile_json_decode (JsonNode *node);

G_END_DECLS
