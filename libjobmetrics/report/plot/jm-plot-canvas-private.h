/* jm-plot-canvas-private.h: what a plot is drawn on
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/plot/jm-plot-series-private.h"

G_BEGIN_DECLS

#define JM_PLOT_N_STYLES 8

/* Every colour: what it is for, its name in style sheets, on light paper, on dark
 * paper. Those of series have a contrast of 3 to 1 and more to the paper, and differ
 * also for people without red, green or blue cones, and in lightness: found by search,
 * from Okabe and Ito's hues on. */
#define JM_PLOT_FOR_EACH_INK(X)                                                        \
 X (BACKGROUND, "background", FFFFFF, 1B1B1B)                                          \
 X (PAPER, "paper", FFFFFF, 1B1B1B)                                                    \
 X (TEXT, "text", 1C1C1C, EDEDED)                                                      \
 X (MUTED, "muted", 5E5E5E, ABABAB)                                                    \
 X (GRID, "grid", E4E4E4, 383838)                                                      \
 X (AXIS, "axis", 8A8A8A, 7A7A7A)                                                      \
 X (LIMIT, "limit", 1C1C1C, EDEDED)                                                    \
 X (MANY, "many", 7587EE, 7587EE)                                                      \
 X (MEAN, "mean", 000037, FFFFFF)                                                      \
 X (SERIES_0, "0", 0E42B4, 86D6D8)                                                     \
 X (SERIES_1, "1", E76A05, F2AB00)                                                     \
 X (SERIES_2, "2", 0FA067, 188B74)                                                     \
 X (SERIES_3, "3", C261A0, D178E7)                                                     \
 X (SERIES_4, "4", 000037, ECFFD6)                                                     \
 X (SERIES_5, "5", 5E4919, C4BC70)                                                     \
 X (SERIES_6, "6", 7587EE, 3D5EFF)                                                     \
 X (SERIES_7, "7", 50162E, CE3B15)

#define JM_PLOT_INK_ENUM(id, name, light, dark) JM_PLOT_INK_##id,

typedef enum
{
  JM_PLOT_FOR_EACH_INK (JM_PLOT_INK_ENUM) JM_N_PLOT_INKS
} JmPlotInk;

typedef struct
{
  const char *name;
  guint32 light; /* 0xRRGGBB */
  guint32 dark;
} JmPlotInkInfo;

const JmPlotInkInfo *jm_plot_ink_get_info (JmPlotInk ink);

/* How something is drawn; @title is what it is, for those who point at it. */
typedef struct
{
  JmPlotInk ink;
  double width;
  double dashes[4];
  guint n_dashes;
  double opacity;
  const char *title;
} JmPlotPen;

typedef enum
{
  JM_PLOT_ANCHOR_START,
  JM_PLOT_ANCHOR_MIDDLE,
  JM_PLOT_ANCHOR_END,
} JmPlotAnchor;

typedef struct
{
  JmPlotInk ink;
  double size;
  gboolean is_bold;
  JmPlotAnchor anchor;
} JmPlotFont;

/* Where the lines of a plot are, and what the ends of its axes stand for. */
typedef struct
{
  double left;
  double right;
  double top;
  double bottom;
  double from_seconds; /* since the begin */
  double to_seconds;
  const char *lowest; /* labels of the axis of values */
  const char *highest;
} JmPlotFrame;

/* Points that are not numbers part lines from each other, and polygons. Text stands on
 * its
 * y, and @x is its anchor. */
typedef struct JmPlotCanvas JmPlotCanvas;
struct JmPlotCanvas
{
  void (*stroke) (JmPlotCanvas *self, const GArray *points, const JmPlotPen *pen);
  void (*fill) (JmPlotCanvas *self, const GArray *points, const JmPlotPen *pen);
  void (*write) (JmPlotCanvas *self,
                 double x,
                 double y,
                 const char *text,
                 const JmPlotFont *font);
  double (*measure) (JmPlotCanvas *self, const char *text, const JmPlotFont *font);
  /* for programs that show the values of a place; NULL where there are none */
  void (*frame) (JmPlotCanvas *self, const JmPlotFrame *frame);
};

G_END_DECLS
