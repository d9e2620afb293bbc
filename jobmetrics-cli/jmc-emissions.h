/* jmc-emissions.h: jobmetrics-cli emissions: what electricity emits, and who says so
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_emissions_main (int argc, char **argv);

G_END_DECLS
