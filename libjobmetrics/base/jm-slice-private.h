/* jm-slice-private.h: a part of a text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * JmSlice:
 * @text: the first byte, within a caller's text
 * @length: how many bytes
 *
 * A part of a text that somebody else owns.
 */
typedef struct
{
  const char *text;
  gsize length;
} JmSlice;

/* Takes what stands before the next @separator, or all that is left; FALSE at the end. */
gboolean jm_slice_take_word (JmSlice *rest, char separator, JmSlice *word);

G_END_DECLS
