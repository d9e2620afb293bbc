/* jmc-selection.h: the options that say which jobs are meant
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"
#include "jmc-filter.h"

G_BEGIN_DECLS

typedef enum
{
  JMC_STATE_ANY,
  JMC_STATE_RUNNING,
  JMC_STATE_ENDED,
} JmcState;

/* JmcSelection:
 *
 * The texts are as given; jmc_selection_parse() makes the rest of them. */
typedef struct
{
  char *users_text;
  char *accounts_text;
  char *state_text;
  char *filter_text;

  char **users;
  char **accounts;
  JmcState state;
  JmcFilter *filter;
} JmcSelection;

void jmc_selection_clear (JmcSelection *self);
void jmc_selection_add_entries (JmcSelection *self, GOptionGroup *group);
gboolean jmc_selection_parse (JmcSelection *self);
gboolean jmc_selection_is_everything (const JmcSelection *self);
guint jmc_selection_get_collectors (const JmcSelection *self);
gboolean
jmc_selection_has (const JmcSelection *self, JmSnapshot *snapshot, guint subject);
GArray *jmc_selection_list (const JmcSelection *self, JmSnapshot *snapshot);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcSelection, jmc_selection_clear)

G_END_DECLS
