/* jm-advice.h: what mends a source that gives no figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmAdvice:
 *
 * What mends a source that gives no figures: remedies, each perhaps with a file that is
 * installed to be copied. The source fills it in, see #JmSourceClass.advise.
 *
 * Since: 0.1
 */
typedef struct _JmAdvice JmAdvice;

#define JM_TYPE_ADVICE (jm_advice_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_advice_get_type (void);

JM_AVAILABLE_IN_ALL
JmAdvice *jm_advice_new (void);

JM_AVAILABLE_IN_ALL
JmAdvice *jm_advice_ref (JmAdvice *self);

JM_AVAILABLE_IN_ALL
void jm_advice_unref (JmAdvice *self);

JM_AVAILABLE_IN_ALL
void jm_advice_add (JmAdvice *self, const char *remedy, const char *drop_in);

JM_AVAILABLE_IN_ALL
void jm_advice_set_gain (JmAdvice *self, const char *gain);

JM_AVAILABLE_IN_ALL
const char *jm_advice_get_gain (JmAdvice *self);

JM_AVAILABLE_IN_ALL
char *jm_advice_get_text (JmAdvice *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmAdvice, jm_advice_unref)

G_END_DECLS
