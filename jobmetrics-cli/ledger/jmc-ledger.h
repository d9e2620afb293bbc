/* jmc-ledger.h: jobmetrics-cli ledger: the records of jobs, long after they ended
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_ledger_main (int argc, char **argv);

G_END_DECLS
