/* jmc-list.h: jobmetrics-cli list: the jobs of a node as a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

char *jmc_list_render (JmSnapshot *snapshot, guint width, gboolean color);
int jmc_list_main (int argc, char **argv);

G_END_DECLS
