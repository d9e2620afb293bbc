/* jm-source-private.h: what classes of sources use of their parent
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-source.h"

G_BEGIN_DECLS

/* Properties of a class of sources, each of which is a field of the instance, at
 * @offset in it: it is set when the source is made, and freed with it. */
void jm_source_class_add_text (GObjectClass *klass,
                               const char *name,
                               gsize offset,
                               const char *default_text);

void jm_source_class_add_uint (GObjectClass *klass,
                               const char *name,
                               gsize offset,
                               guint min,
                               guint max,
                               guint default_value);

void jm_source_class_add_double (GObjectClass *klass,
                                 const char *name,
                                 gsize offset,
                                 double min,
                                 double max,
                                 double default_value);

void jm_source_class_add_boxed (GObjectClass *klass,
                                const char *name,
                                gsize offset,
                                GType type);

/* Whether it found what it is about; one that is not open can only be opened. */
gboolean jm_source_is_open (JmSource *self);

/* Notes how asking it went: NULL where it answered. For whoever asks, in the one thread
 * to which the source belongs. */
void jm_source_set_error (JmSource *self, const GError *error);

/* Why it gave no figures when it was opened or asked last; NULL where it works, and
 * where it was not asked. */
const GError *jm_source_get_error (JmSource *self);

/* jm_advice_get_text() for somebody who administers nothing here: without what to copy
 * where. */
char *jm_advice_get_plain_text (JmAdvice *self);

void jm_advice_set_gain (JmAdvice *self, const char *gain);

const char *jm_advice_get_gain (JmAdvice *self);

gboolean jm_source_reaches_out (JmSource *self);

/* Whether @other, which is open, has all that @self would have: the same counters, read
 * in another way. */
gboolean jm_source_is_superseded_by (JmSource *self, JmSource *other);

/* Whether this host has what the source needs, such as a program or a password; asks
 * nobody. Errors: those of opening and reading it, as far as they show. */
gboolean jm_source_check (JmSource *self, GError **error);

G_END_DECLS
