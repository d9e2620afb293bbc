/* jme-ledger-readers.h: which users of this machine may read everybody's records
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether @list, `USER,...,@GROUP` or NULL, has a user by name, number, or a group.
 * Name services are asked, which may take their time. */
gboolean jme_ledger_readers_have (const char *list, guint uid);

G_END_DECLS
