/* jm-process-roll-private.h: which processes are there
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/process/jm-kept-process-private.h"

G_BEGIN_DECLS

/* The processes that are known, called over in each round: those that are named are
 * there, and of the others it is asked whether they have ended. Owns them all. */
typedef struct _JmProcessRoll JmProcessRoll;

JmProcessRoll *jm_process_roll_new (void);

/* Works in the middle of a round too. */
void jm_process_roll_free (JmProcessRoll *self);

/* The processes of @group are its parent's from now on. */
void jm_process_roll_move_group (JmProcessRoll *self, guint group, guint parent);

/* --- a round --- */

void jm_process_roll_begin (JmProcessRoll *self);

/* NULL where it is not known. Costs next to nothing where processes are looked for in
 * the order in which they were named in the round before. */
JmKeptProcess *jm_process_roll_find (JmProcessRoll *self, guint pid);

gboolean jm_process_roll_is_named (JmProcessRoll *self, const JmKeptProcess *process);
void jm_process_roll_name (JmProcessRoll *self, JmKeptProcess *process);

/* Takes a process that was not known, and names it. */
void jm_process_roll_add (JmProcessRoll *self, JmKeptProcess *process);

/* One that is known has ended, as its number is another's by now. */
void jm_process_roll_strike (JmProcessRoll *self, JmKeptProcess *process);

/* Asks of those that nobody has named whether they have ended; who has not stays. */
void jm_process_roll_ask (JmProcessRoll *self,
                          gboolean (*has_ended) (JmKeptProcess *process,
                                                 gpointer user_data),
                          gpointer user_data);

/* Those that are there, and those that have ended. */
const GPtrArray *jm_process_roll_get_named (JmProcessRoll *self);
const GPtrArray *jm_process_roll_get_ended (JmProcessRoll *self);

/* The nearest process above one that has ended which was named in this round; NULL
 * where that does not count. */
JmKeptProcess *jm_process_roll_find_heir (JmProcessRoll *self,
                                          const JmKeptProcess *process);

void jm_process_roll_drop_ended (JmProcessRoll *self);
void jm_process_roll_end (JmProcessRoll *self);

G_END_DECLS
