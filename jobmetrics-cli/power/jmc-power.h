/* jmc-power.h: jobmetrics-cli power: what a node takes, and who takes it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_power_main (int argc, char **argv);

G_END_DECLS
