/* jmc-top.h: jobmetrics-cli top: the jobs of a node as they go
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_top_main (int argc, char **argv);

G_END_DECLS
