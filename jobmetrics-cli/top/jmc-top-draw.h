/* jmc-top-draw.h: all that top shows, in one frame
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "top/jmc-top-control.h"
#include "top/jmc-top-frame.h"

G_BEGIN_DECLS

/* JmcTopScene:
 * @host: name of the node
 * @notice: what could not be read, or NULL
 * @points: over how long the figures of a past time are means; NULL of the present */
typedef struct
{
  char *host;
  char *notice;
  char *points;
} JmcTopScene;

JmcTopFrame *jmc_top_draw_screen (JmcTopControl *control,
                                  const JmcTopScene *scene,
                                  guint width,
                                  guint height);
char *jmc_top_draw_page (JmcTopModel *model,
                         const char *host,
                         const char *points,
                         guint width);

G_END_DECLS
