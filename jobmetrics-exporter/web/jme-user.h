/* jme-user.h: users of this machine
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* The name of a user, and the group that is their own where @gid is not NULL; NULL
 * where nobody has that number. */
char *jme_user_find_name (guint uid, gid_t *gid);

G_END_DECLS
