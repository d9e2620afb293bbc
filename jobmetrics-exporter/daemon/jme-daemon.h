/* jme-daemon.h: what every role of the daemon goes through
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

#include "daemon/jme-role.h"

G_BEGIN_DECLS

/* What was asked for is invalid. */
#define JME_EXIT_USAGE 2

/* All settings of a daemon in this role. */
JmSettings *jme_daemon_make_settings (const JmeRole *role);

/* Reads the command line, whose first word is the program's, and the configuration file
 * that it names. NULL when something in them is invalid: the error names it.
 * `--help` prints and ends the program. */
JmSettings *jme_daemon_parse (const JmeRole *role, char **arguments, GError **error);

/* Runs until SIGTERM or SIGINT, or prints once. Returns the exit status: 0, or 1 or
 * JME_EXIT_USAGE after a message. */
int jme_daemon_run (const JmeRole *role, char **arguments);

void jme_memory_forget_start (void);

G_END_DECLS
