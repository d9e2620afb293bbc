/* jmc-alert.h: jobmetrics-cli alert: owners of jobs are told what is worth a change
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_alert_main (int argc, char **argv);

G_END_DECLS
