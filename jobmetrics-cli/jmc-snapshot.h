/* jmc-snapshot.h: what list and show have in common
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"
#include "jmc-options.h"

G_BEGIN_DECLS

JmSnapshot *jmc_snapshot_take (const JmcOptions *options,
                               JmSubjectKind level,
                               const JmCollectorSet *collectors,
                               int *status);
char *jmc_snapshot_describe_error (JmSnapshot *snapshot, JmCollector collector);
char *jmc_snapshot_describe_loss (JmSnapshot *snapshot,
                                  JmCollector collector,
                                  const GPtrArray *fields);

G_END_DECLS
