/* jme-body.h: what a reply says, for as many clients as hear the same
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A body as it is, and packed: once, however many take it so. */
typedef struct _JmeBody JmeBody;

JmeBody *jme_body_new (GBytes *plain);
JmeBody *jme_body_ref (JmeBody *self);
void jme_body_unref (JmeBody *self);

GBytes *jme_body_get_plain (JmeBody *self);

/* As gzip; %NULL where that is not worth it. In the thread of the server alone. */
GBytes *jme_body_get_packed (JmeBody *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeBody, jme_body_unref)

G_END_DECLS
