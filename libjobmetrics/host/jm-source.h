/* jm-source.h: anything on a host that can be asked
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>
#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "host/jm-host.h"

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
void jm_advice_unref (JmAdvice *self);

JM_AVAILABLE_IN_ALL
void jm_advice_add (JmAdvice *self, const char *remedy, const char *drop_in);

JM_AVAILABLE_IN_ALL
char *jm_advice_get_text (JmAdvice *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmAdvice, jm_advice_unref)

#define JM_TYPE_SOURCE (jm_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (JmSource, jm_source, JM, SOURCE, GObject)

/**
 * JmSourceClass:
 * @parent_class: the parent class
 * @open: finds what the source is about on its host; %JM_ERROR_ABSENT where the host
 *   has none. Called by g_initable_init() until it succeeds; may be left out
 * @is_superseded_by: whether another source, which is open, has all that this one would
 *   have; may be left out
 * @check: checks, without a question to anybody, whether the host has what the source
 *   needs; of a source that asks over the network or runs programs
 * @advise: see jm_source_advise(); may be left out
 *
 * The class of sources.
 *
 * Since: 0.1
 */
struct _JmSourceClass
{
  GObjectClass parent_class;

  gboolean (*open) (JmSource *self, GError **error);
  gboolean (*is_superseded_by) (JmSource *self, JmSource *other);
  gboolean (*check) (JmSource *self, GError **error);
  void (*advise) (JmSource *self, const GError *error, JmAdvice *advice);

  gpointer padding[5];
};

JM_AVAILABLE_IN_ALL
JmHost *jm_source_get_host (JmSource *self);

JM_AVAILABLE_IN_ALL
void jm_source_advise (JmSource *self, const GError *error, JmAdvice *advice);

G_END_DECLS
