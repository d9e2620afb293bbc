/* jm-cpu-maker-private.h: what follows from who made the processors
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/* Whether the processors have one energy counter for each package, however many dies
 * the kernel knows there: those of AMD and of its licensee Hygon. */
gboolean jm_cpu_counts_by_package (JmHost *host);

G_END_DECLS
