/* jm-counter-carry-private.h: counters that go on where an earlier program left them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings-private.h"

G_BEGIN_DECLS

/* What was shown of one subject's counters before the program began anew. A counter
 * that the kernel keeps is ahead of that and stays as it is; a sum over processes or
 * cgroups, of which some are gone, goes on from there. */
typedef struct _JmCounterCarry JmCounterCarry;

/* Of such a text as jm_counter_carry_save() makes; NULL where it is none, or empty. */
JmCounterCarry *jm_counter_carry_restore (GVariant *saved);
void jm_counter_carry_free (JmCounterCarry *self);

/* Raises what was read from position @from on, and adds what is read no more. What is
 * read late, between two rounds, may be of processes that nobody has read yet. */
void jm_counter_carry_apply (JmCounterCarry *self,
                             JmReadings *readings,
                             guint from,
                             gboolean is_late);

/* Counters as they were shown last, of JmReading: what is not read now was shown all
 * the same. Empty at first, or what an earlier program showed. */
GArray *jm_counter_carry_make_shown (void);
GArray *jm_counter_carry_list_shown (const JmCounterCarry *self);
void jm_counter_carry_note_shown (GArray *shown,
                                  const JmReading *readings,
                                  guint n_readings);

/* Of the type JM_COUNTER_CARRY_TYPE; NULL without any. */
#define JM_COUNTER_CARRY_TYPE "a(sast)"
GVariant *jm_counter_carry_save (const GArray *shown);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCounterCarry, jm_counter_carry_free)

G_END_DECLS
