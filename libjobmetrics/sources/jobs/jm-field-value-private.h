/* jm-field-value-private.h: which values a job's fields may have
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "core/jm-job.h"

G_BEGIN_DECLS

gboolean jm_field_value_is_empty (JmSlice value);
gboolean jm_field_value_is_none (JmJobField field, JmSlice value);
JmSlice jm_field_value_cut (JmJobField field, JmSlice value);
gboolean jm_field_value_check (JmJobField field, JmSlice value);

G_END_DECLS
