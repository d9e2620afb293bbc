/* jmc-suggest.h: jobmetrics-cli suggest: what the next run of a job should ask for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_suggest_main (int argc, char **argv);

G_END_DECLS
