/* jm-slice.c: a part of a text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-slice-private.h"

#include <string.h>

gboolean
jm_slice_take_word (JmSlice *rest, char separator, JmSlice *word)
{
  const char *end;

  if (rest->text == NULL)
    return FALSE;

  end = rest->length > 0 ? memchr (rest->text, separator, rest->length) : NULL;
  *word = *rest;
  if (end == NULL)
    {
      *rest = (JmSlice){ NULL, 0 };
      return TRUE;
    }

  word->length = (gsize) (end - rest->text);
  rest->length -= word->length + 1;
  rest->text = end + 1;

  return TRUE;
}
