/* jmc-watch.h: a node as it is now, once or again and again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"

G_BEGIN_DECLS

/* JmcView:
 * @draw: writes what is to be seen, as whole lines; FALSE once there is nothing left to
 *   watch. A page is what a terminal shows while it is watched
 * @complain: (nullable): says on the standard error what belongs to it, after the first
 *   sample, where there is no page
 * @keep: (nullable): takes the look that was taken before the first one is shown
 * @begin: (nullable): is given the node before it is looked at
 *
 * How a command shows a snapshot. */
typedef struct
{
  gboolean (*draw) (JmSnapshot *snapshot,
                    gboolean is_page,
                    GString *text,
                    gpointer data);
  void (*complain) (JmSnapshot *snapshot, gpointer data);
  gpointer data;
  void (*keep) (JmSnapshot *snapshot, gpointer data);
  void (*begin) (JmNode *node, gpointer data);
} JmcView;

/* JmcWatch:
 * @is_stream: what is drawn is for programs: one sample follows the other at once, in
 *   UTF-8, on a terminal too */
typedef struct
{
  char *text;      /* as given; NULL for a single look */
  double interval; /* seconds */
  gboolean is_stream;
} JmcWatch;

void jmc_watch_clear (JmcWatch *self);
char **jmc_watch_copy_arguments (int argc, char **argv);
void jmc_watch_add_entries (JmcWatch *self, GOptionGroup *group);
gboolean jmc_watch_parse (JmcWatch *self);
int jmc_watch_run (const JmcWatch *self,
                   const JmcOptions *options,
                   JmSubjectKind level,
                   const JmCollectorSet *collectors,
                   const JmcView *view);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcWatch, jmc_watch_clear)

G_END_DECLS
