/* jmc-trace.h: jobmetrics-cli trace: a command, and an exporter that is told of it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_trace_main (int argc, char **argv);

G_END_DECLS
