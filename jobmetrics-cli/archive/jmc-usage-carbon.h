/* jmc-usage-carbon.h: what a statement of emissions rests on
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jmc-archive-form.h"
#include "archive/jmc-run-query.h"
#include "judge/jm-site-carbon.h"

G_BEGIN_DECLS

/* Prints behind the sums the sources of the site's numbers, and the commands that make
 * the sums again and list the runs that they are of; nothing in CSV. @site may be NULL. */
void jmc_usage_carbon_print_basis (JmcArchiveForm *form,
                                   const JmcOptions *options,
                                   const JmcRunQuery *query,
                                   JmSiteCarbon *site);

G_END_DECLS
