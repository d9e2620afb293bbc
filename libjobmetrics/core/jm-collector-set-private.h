/* jm-collector-set-private.h: some of the collectors, for the library alone
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-collector-set.h"

G_BEGIN_DECLS

const JmCollectorSet *jm_collector_set_get_of_node (void);

void jm_collector_set_unite (JmCollectorSet *self, const JmCollectorSet *other);

void jm_collector_set_intersect (JmCollectorSet *self, const JmCollectorSet *other);

G_END_DECLS
