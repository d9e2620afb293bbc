/* jmc-hook.h: what a scheduler runs as root when a job begins and when it ends
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The command; returns 0 whatever happens, for else the scheduler would fail the job or
 * drain the node. To be called before anything else looks at the environment, which may
 * be the job's. */
int jmc_hook_main (int argc, char **argv);

/* The same for a program that is called like what it is to do, else as the command. */
int jmc_hook_main_by_name (const char *path, int argc, char **argv);

G_END_DECLS
