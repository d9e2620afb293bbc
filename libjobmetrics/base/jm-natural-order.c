/* jm-natural-order.c: words and numbers in the order in which people count
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-natural-order-private.h"

#include <string.h>

/* The digits at the head of @text without leading zeros. */
static const char *
take_number (const char **text, gsize *n_digits)
{
  const char *digits;

  while (**text == '0')
    (*text)++;
  digits = *text;
  while (g_ascii_isdigit (**text))
    (*text)++;
  *n_digits = (gsize) (*text - digits);

  return digits;
}

static int
compare_numbers (const char **a, const char **b)
{
  gsize n_a, n_b;
  const char *digits_a = take_number (a, &n_a);
  const char *digits_b = take_number (b, &n_b);

  if (n_a != n_b)
    return n_a < n_b ? -1 : 1;

  return strncmp (digits_a, digits_b, n_a);
}

/* Compares texts as people sort them: numbers in them by their value, however long they
 * are. 9 comes before 10, 10_2 before 10_10, and two texts that differ in leading zeros
 * alone in the order of strcmp().
 *
 * Returns below 0 where @a comes first, above 0 where @b does, 0 where they are the
 * same. */
int
jm_natural_order_compare (const char *a, const char *b)
{
  const char *rest_a = a;
  const char *rest_b = b;
  int order = 0;

  g_return_val_if_fail (a != NULL, 0);
  g_return_val_if_fail (b != NULL, 0);

  while (order == 0 && *rest_a != '\0' && *rest_b != '\0')
    {
      if (g_ascii_isdigit (*rest_a) && g_ascii_isdigit (*rest_b))
        order = compare_numbers (&rest_a, &rest_b);
      else
        order = (guchar) *rest_a++ - (guchar) *rest_b++;
    }

  if (order == 0)
    order = (guchar) *rest_a - (guchar) *rest_b;

  return order != 0 ? order : strcmp (a, b);
}
