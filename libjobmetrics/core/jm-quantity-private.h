/* jm-quantity-private.h: quantities by their numbers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-quantity-id-private.h"
#include "core/jm-quantity.h"

G_BEGIN_DECLS

const JmQuantity *jm_quantity_get (JmQuantityId id);
JmQuantityId jm_quantity_get_id (const JmQuantity *self);

G_END_DECLS
