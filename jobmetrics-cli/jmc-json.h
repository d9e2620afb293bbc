/* jmc-json.h: snapshots as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

void jmc_json_print (JmSnapshot *snapshot);
void jmc_json_print_job (JmSnapshot *snapshot, guint subject);

G_END_DECLS
