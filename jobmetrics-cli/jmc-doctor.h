/* jmc-doctor.h: jobmetrics-cli doctor: what is missing on a node, and what mends it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_doctor_main (int argc, char **argv);

G_END_DECLS
