/* left-ledger.h: what of a ledger a killed program leaves
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Copies the ledger @path as it is on the disk at this moment to @left. */
void left_ledger_copy (const char *path, const char *left);

G_END_DECLS
