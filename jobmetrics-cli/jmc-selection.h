/* jmc-selection.h: the options that say which jobs are meant
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-job-selection.h"

G_BEGIN_DECLS

/* JmcSelection:
 * @filter: what its text means, or NULL
 * @jobs: what the texts, as given, mean; NULL before jmc_selection_parse() */
typedef struct
{
  char *users_text;
  char *accounts_text;
  char *state_text;
  char *filter_text;
  JmFilter *filter;
  JmJobSelection *jobs;
} JmcSelection;

void jmc_selection_clear (JmcSelection *self);
void jmc_selection_add_entries (JmcSelection *self, GOptionGroup *group);
gboolean jmc_selection_parse (JmcSelection *self);
void jmc_selection_add_fields (const JmcSelection *self, GPtrArray *fields);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcSelection, jmc_selection_clear)

G_END_DECLS
