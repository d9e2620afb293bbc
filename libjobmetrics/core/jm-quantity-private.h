/* jm-quantity-private.h: quantities by their numbers, and those of runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-metric-private.h"
#include "core/jm-quantity-id-private.h"
#include "core/jm-quantity.h"

G_BEGIN_DECLS

/* How the figures of a run's nodes make the run's. */
typedef enum
{
  JM_JOINING_OWN, /* they do not */
  JM_JOINING_SUM,
  JM_JOINING_MOST,
  JM_JOINING_LEAST,
} JmJoining;

typedef struct
{
  JmQuantityId id;
  JmJoining joining;
} JmRunQuantity;

const JmQuantity *jm_quantity_get (JmQuantityId id);
JmQuantityId jm_quantity_get_id (const JmQuantity *self);

const JmQuantity *jm_quantity_of_metric (JmMetric metric);

/* The metric whose quantity it is; JM_N_METRICS of one that is not measured. */
JmMetric jm_quantity_get_metric (const JmQuantity *self);

/* Those that reports of runs and rules of advice have. */
const JmRunQuantity *jm_quantity_get_run_quantities (guint *n_quantities);

G_END_DECLS
