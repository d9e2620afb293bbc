/* jmc-affinity.h: which CPUs a command may use
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

char *jmc_affinity_parse (const char *status, guint *n_cpus);
char *jmc_affinity_read (JmHost *host, guint *n_cpus);

G_END_DECLS
