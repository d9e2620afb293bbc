/* jme-server-check.h: whether the server could do its work
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "host/jm-settings-private.h"

G_BEGIN_DECLS

/* Prints a line for each thing that was looked at, and returns the exit status: nothing
 * is written. */
int jme_server_check (const JmSettings *settings, const char *uri);

G_END_DECLS
