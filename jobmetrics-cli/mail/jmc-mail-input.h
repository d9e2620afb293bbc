/* jmc-mail-input.h: what a scheduler writes to a mail program
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* More of a text is left out, and that is said at its end. */
#define JMC_MAIL_MAX_INPUT_BYTES (1024 * 1024)

/* Opens /dev/null in the place of what is closed of the first three: PBS leaves the
 * standard output and error closed, and what is opened next would be written to as if
 * it were one of them. */
void jmc_mail_input_open_standard_files (void);

/* All there is, as long as it does not pause for seconds: Slurm has nothing to say
 * there, and need not close it. */
GString *jmc_mail_input_read (int fd);

G_END_DECLS
