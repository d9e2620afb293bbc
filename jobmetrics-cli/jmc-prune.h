/* jmc-prune.h: only the metrics of a snapshot that are wanted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "expose/jm-text-encoder.h"

G_BEGIN_DECLS

/* Takes out of a snapshot's JSON those metrics that @encoder does not export. */
void jmc_prune_snapshot (JsonObject *snapshot, JmTextEncoder *encoder);

G_END_DECLS
