/* jm-figures-private.h: figures of one subject, by quantity
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "core/jm-quantity-private.h"

G_BEGIN_DECLS

typedef struct _JmFigures JmFigures;

JmFigures *jm_figures_new (void);
void jm_figures_free (JmFigures *self);

/* Absent where none was set. */
JmFigure jm_figures_get (const JmFigures *self, JmQuantityId quantity);

/* An absent figure removes an earlier one. */
void jm_figures_set (JmFigures *self, JmQuantityId quantity, JmFigure figure);

/* Sets each unknown figure that follows from others by quantities.ini: of one node,
 * whose
 * @snapshot has the metrics among them. %NULL where there is none. */
void jm_figures_derive (JmFigures *self, JmSnapshot *snapshot, guint subject);

/* The same of a whole run, but for figures that are joined from those of its nodes. */
void jm_figures_derive_run (JmFigures *self);

/* What is known of a run. */
typedef JmFigure (*JmFigureFunc) (JmQuantityId quantity, gpointer data);

/* The figure of a run that follows by the quantity's expression from those that @get
 * knows, and from what follows from them; absent where none does. */
JmFigure jm_figures_follow (JmQuantityId quantity, JmFigureFunc get, gpointer data);

/* Calculations as expressions have them: absent where @a or @b is, or nothing follows.
 * A part is a share in per cent, of at most 100. */
JmFigure jm_figures_multiply (JmFigure a, JmFigure b);
JmFigure jm_figures_divide (JmFigure a, JmFigure b);
JmFigure jm_figures_get_part (JmFigure a, JmFigure b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmFigures, jm_figures_free)

G_END_DECLS
