/* jm-number-private.h: numbers to text, exactly and in no locale
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define JM_NUMBER_MAX_DECIMALS 9

/* Room for 18446744073709551615 and its point. */
#define JM_NUMBER_DECIMAL_SIZE 21

char *jm_number_write_decimal (char *at, guint64 value, guint n_decimals);

/* As people read a number of things: `1 job`, `2 jobs`. */
char *jm_number_count (guint64 n, const char *noun);

void jm_number_append_uint64 (GString *out, guint64 value);
void jm_number_append_decimal (GString *out, guint64 value, guint n_decimals);
void jm_number_append_double (GString *out, double value);

G_END_DECLS
