/* jme-head.h: heads of requests that programs read differently
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Finds what a proxy in front may read otherwise than this server does, so that the two
 * take different requests, hosts or paths from one text (RFC 9112, section 11.2). @head
 * is the request line and the headers, with the empty line at their end.
 *
 * Returns: (nullable): a sentence; NULL where nothing is wrong */
const char *jme_head_find_fault (const char *head, gsize length);

G_END_DECLS
