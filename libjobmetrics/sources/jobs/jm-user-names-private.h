/* jm-user-names-private.h: what users are called
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmUserNames:
 *
 * The names of user ids, read from `/etc/passwd`, or else asked of the name service
 * switch without a fork, unless the tree is a copied one. They are kept for some
 * minutes. Also what has no name is
 * kept, for a shorter time: a directory server that is down is not asked for each job,
 * and one that does not answer delays no caller by more than a second.
 */
typedef struct _JmUserNames JmUserNames;

#define JM_USER_NAMES_MAX 4096
#define JM_USER_NAMES_KEEP_US (10 * G_TIME_SPAN_MINUTE)
#define JM_USER_NAMES_KEEP_NONE_US (1 * G_TIME_SPAN_MINUTE)

JmUserNames *jm_user_names_new (JmHost *host);
void jm_user_names_free (JmUserNames *self);

const char *jm_user_names_get (JmUserNames *self, guint uid, gboolean *is_late);
const char *
jm_user_names_get_at (JmUserNames *self, guint uid, gboolean *is_late, gint64 now_us);
guint jm_user_names_get_size (const JmUserNames *self);

gboolean jm_passwd_find (const char *text, gsize length, guint uid, JmSlice *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmUserNames, jm_user_names_free)

G_END_DECLS
