/* jmc-gpus.h: jobmetrics-cli gpus: the accelerators of a node, and whose they are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_gpus_main (int argc, char **argv);

G_END_DECLS
