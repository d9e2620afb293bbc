/* jm-cluster-node-word-private.h: what a node does, in one word
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "schedulers/jm-scheduler-report.h"

G_BEGIN_DECLS

/* All words that Slurm has, in small letters, up to NULL. */
const char *const *jm_cluster_node_word_list (void);

/* The word that sinfo's %T has, without the marks behind it; of a node in a state that
 * is not known, the word that came in its place. */
char *jm_cluster_node_word_make (const JmSchedulerNode *node);

G_END_DECLS
