/* jmc-usage-carbon.h: what a statement of emissions rests on
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jmc-archive-form.h"
#include "archive/jmc-run-query.h"
#include "archive/jmc-usage-totals.h"
#include "judge/jm-site-carbon.h"

G_BEGIN_DECLS

/* Prints behind the sums the sources of the site's numbers, and the commands that make
 * the sums again and list the runs that they are of; nothing in CSV. @site may be NULL. */
void jmc_usage_carbon_print_basis (JmcArchiveForm *form,
                                   const JmcOptions *options,
                                   const JmcRunQuery *query,
                                   JmSiteCarbon *site);

/* Sets the title and the notes of a statement: the sources, where @site is not NULL, and
 * the command that makes the same numbers again. */
void jmc_usage_carbon_set_document (JmcArchiveForm *form,
                                    JmcUsageKind kind,
                                    const JmcOptions *options,
                                    const JmcRunQuery *query,
                                    JmSiteCarbon *site);

G_END_DECLS
