/* jm-equivalence-private.h: what emissions compare with
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What everybody knows and emits about as much: `an average petrol car on 1.8km`, with
 * what one of it emits and who says so. NULL where @grams are none. */
char *jm_equivalence_describe (double grams);

G_END_DECLS
