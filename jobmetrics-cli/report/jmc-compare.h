/* jmc-compare.h: jobmetrics-cli compare: runs side by side
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_compare_main (int argc, char **argv);

G_END_DECLS
