/* jm-complaints-private.h: warnings that are said once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What was already warned of. It forgets when it is full: neither the log nor our
 * memory is to be filled. */
typedef struct _JmComplaints JmComplaints;

JmComplaints *jm_complaints_new (void);
void jm_complaints_free (JmComplaints *self);

/* Warns, unless it has of the same thing; @about may be @message. */
void jm_complaints_warn (JmComplaints *self, const char *about, const char *message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmComplaints, jm_complaints_free)

G_END_DECLS
