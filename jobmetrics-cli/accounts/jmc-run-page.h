/* jmc-run-page.h: all that a site knows of one run, as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "accounts/jmc-run-details.h"

G_BEGIN_DECLS

/* What is not known is left out. */
char *jmc_run_page_render (JmcRunDetails *details, gboolean color);

G_END_DECLS
