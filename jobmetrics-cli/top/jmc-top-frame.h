/* jmc-top-frame.h: a screen full of text, before it is on a screen
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-text-table-private.h"

G_BEGIN_DECLS

/* Flags. The first four serve where there are no colours, too. */
typedef enum
{
  JMC_TOP_PLAIN = 0,
  JMC_TOP_BOLD = 1 << 0,
  JMC_TOP_DIM = 1 << 1,
  JMC_TOP_REVERSE = 1 << 2,
  JMC_TOP_WARN = 1 << 3,
  JMC_TOP_ALARM = 1 << 4,
} JmcTopStyle;

typedef struct
{
  guint y;
  guint x;
  JmcTopStyle style;
  char *text;
} JmcTopSpan;

typedef struct _JmcTopFrame JmcTopFrame;

JmcTopFrame *jmc_top_frame_new (guint width, guint height);
void jmc_top_frame_free (JmcTopFrame *self);
guint jmc_top_frame_get_width (JmcTopFrame *self);
guint jmc_top_frame_get_height (JmcTopFrame *self);
guint jmc_top_frame_add (JmcTopFrame *self,
                         guint y,
                         guint x,
                         JmcTopStyle style,
                         const char *text);
void jmc_top_frame_add_cell (JmcTopFrame *self,
                             guint y,
                             guint x,
                             guint width,
                             JmTextAlign align,
                             JmcTopStyle style,
                             const char *text);
void jmc_top_frame_add_bar (JmcTopFrame *self,
                            guint y,
                            guint x,
                            guint width,
                            JmcTopStyle style,
                            double share);
void jmc_top_frame_fill (JmcTopFrame *self, guint y, JmcTopStyle style);
guint jmc_top_frame_get_n_spans (JmcTopFrame *self);
const JmcTopSpan *jmc_top_frame_get_span (JmcTopFrame *self, guint number);
char *jmc_top_frame_to_text (JmcTopFrame *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcTopFrame, jmc_top_frame_free)

G_END_DECLS
