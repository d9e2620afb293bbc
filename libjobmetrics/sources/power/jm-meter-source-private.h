/* jm-meter-source-private.h: what a site's own meters share
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-meter-source.h"

G_BEGIN_DECLS

/* The last step of open (): `INVALID` for a setting that cannot be meant. @what is the
 * meter, for messages. */
gboolean jm_meter_source_start (JmMeterSource *self, const char *what, GError **error);

G_END_DECLS
