/* jmc-mail-address.h: addresses that a scheduler's users wrote
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How many addresses one mail may have. */
#define JMC_MAIL_MAX_RECIPIENTS 50

/* NULL where @address can be given to a mail server or program and means an address
 * there, not an option, a file or a command; else why not, in words. A name without @
 * is one of this machine. */
const char *jmc_mail_address_find_fault (const char *address);

/* Adds those in @text, between which there are commas or blanks, to @addresses, once
 * each; to a name without @ that of the domain, unless it is NULL. Others are added to
 * @refused, each with the reason. */
void jmc_mail_address_add (GPtrArray *addresses,
                           GPtrArray *refused,
                           const char *text,
                           const char *domain);

/* Who is reached where: lines of a user, blanks, and addresses; empty lines and
 * comments that begin with #. NULL where the file cannot be read, or a line is invalid.
 */
GHashTable *jmc_mail_address_read_book (const char *path, GError **error);

G_END_DECLS
