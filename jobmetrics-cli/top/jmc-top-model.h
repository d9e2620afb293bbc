/* jmc-top-model.h: the lines of top: which there are, and in which order
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "report/jm-node-summary.h"
#include "top/jmc-top-row.h"

G_BEGIN_DECLS

/* JmcTopLine:
 * @row: what it shows
 * @depth: how many rows it is a part of
 * @lasts: bit N is set where its ancestor at depth N, or itself, is the last one there
 * @has_parts: whether there are, or may be, parts to show below it
 * @is_open: whether they are shown */
typedef struct
{
  const JmcTopRow *row;
  guint depth;
  guint lasts;
  gboolean has_parts;
  gboolean is_open;
} JmcTopLine;

typedef struct _JmcTopModel JmcTopModel;

/* Lists the processes (JmProcess) of the job with this uuid, and says when, by the
 * clock of jmc_top_model_update(). NULL where that failed. */
typedef GPtrArray *(*JmcTopLister) (const char *uuid, gint64 *now_us, gpointer data);

JmcTopModel *jmc_top_model_new (void);
void jmc_top_model_free (JmcTopModel *self);

void jmc_top_model_set_lister (JmcTopModel *self, JmcTopLister lister, gpointer data);
void jmc_top_model_update (JmcTopModel *self, JmSnapshot *snapshot, gint64 now_us);
gboolean jmc_top_model_is_empty (JmcTopModel *self);
const JmNodeSummary *jmc_top_model_get_summary (JmcTopModel *self);
GPtrArray *jmc_top_model_get_jobs (JmcTopModel *self);
guint jmc_top_model_get_n_lines (JmcTopModel *self);
const JmcTopLine *jmc_top_model_get_line (JmcTopModel *self, guint number);

void jmc_top_model_sort (JmcTopModel *self, JmcTopColumn column, gboolean is_reversed);
JmcTopColumn jmc_top_model_get_sort (JmcTopModel *self, gboolean *is_reversed);

void jmc_top_model_set_filter (JmcTopModel *self, const char *text);
const char *jmc_top_model_get_filter (JmcTopModel *self);
void jmc_top_model_set_user (JmcTopModel *self, const char *user);
const char *jmc_top_model_get_user (JmcTopModel *self);

guint jmc_top_model_get_selected (JmcTopModel *self);
void jmc_top_model_select (JmcTopModel *self, guint number);
void jmc_top_model_open (JmcTopModel *self);
void jmc_top_model_close (JmcTopModel *self);
void jmc_top_model_toggle (JmcTopModel *self);
void jmc_top_model_open_all (JmcTopModel *self, gboolean open);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcTopModel, jmc_top_model_free)

G_END_DECLS
