/* jmc-job.h: jobmetrics-cli job: all that is known of one run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_job_main (int argc, char **argv);

G_END_DECLS
