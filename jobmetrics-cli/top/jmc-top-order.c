/* jmc-top-order.c: words and numbers in the order in which people count
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-order.h"

#include <string.h>

/* Takes a number off @text, however long it is. */
static gsize
take_number (const char **text, const char **digits)
{
  const char *end;

  while (**text == '0' && g_ascii_isdigit ((*text)[1]))
    (*text)++;
  for (end = *text; g_ascii_isdigit (*end); end++)
    ;
  *digits = *text;
  *text = end;

  return (gsize) (end - *digits);
}

static int
compare_numbers (const char **a, const char **b)
{
  const char *digits_a;
  const char *digits_b;
  gsize length_a = take_number (a, &digits_a);
  gsize length_b = take_number (b, &digits_b);

  if (length_a != length_b)
    return length_a < length_b ? -1 : 1;

  return strncmp (digits_a, digits_b, length_a);
}

/* 9 comes before 10, 10_2 before 10_10, and task 2 before task 10; batch, a word, comes
 * before step 0. */
int
jmc_top_order_compare (const char *a, const char *b)
{
  while (*a != '\0' && *b != '\0')
    {
      int order;

      if (g_ascii_isdigit (*a) && g_ascii_isdigit (*b))
        {
          order = compare_numbers (&a, &b);
          if (order != 0)
            return order;
          continue;
        }
      if (*a != *b)
        break;
      a++;
      b++;
    }

  return (guchar) *a - (guchar) *b;
}
