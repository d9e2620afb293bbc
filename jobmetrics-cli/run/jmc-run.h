/* jmc-run.h: jobmetrics-cli run: a command as a job, and what it used
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_run_main (int argc, char **argv);

G_END_DECLS
