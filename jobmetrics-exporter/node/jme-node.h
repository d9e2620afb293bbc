/* jme-node.h: the daemon in its node role
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "node/jme-options.h"

G_BEGIN_DECLS

/* What was asked for cannot be meant. */
#define JME_EXIT_USAGE 2

/* Runs until SIGTERM or SIGINT, or prints one scrape. Returns the exit status: 0, or 1
 * or JME_EXIT_USAGE after a message. */
int jme_node_run (const JmeOptions *options);

G_END_DECLS
