/* jmc-show.h: jobmetrics-cli show: everything that is known about one job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

int jmc_show_main (int argc, char **argv);

G_END_DECLS
