/* jm-place-private.h: where one scheduler's cgroups are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-place.h"

G_BEGIN_DECLS

/* For who makes a place, before others have it. Places of one job in two roots are
 * those of two jobs, whose schedulers gave them the same id. */
void jm_place_set_root (JmPlace *self, const char *root);

/* NULL where it was not set. */
const char *jm_place_get_root (JmPlace *self);

JmPlace *jm_place_new_helper (const char *job, const char *step);

gboolean jm_place_is_helper (JmPlace *self);

JmPlace *jm_place_ref (JmPlace *self);

G_END_DECLS
