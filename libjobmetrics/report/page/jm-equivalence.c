/* jm-equivalence.c: what emissions compare with
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-equivalence-private.h"

#include <math.h>

/* Below ten of a thing a decimal is of use. */
#define FEW 9.95

#define EPA "US EPA, Greenhouse Gas Equivalencies Calculator, 2024"

/* The first of which there is at least one; the last has no lower end. 3.93e-4 tonnes a
 * mile are those of a petrol car, 1.24e-5 tonnes those of a phone that is charged. */
static const struct
{
  double grams; /* of one of it */
  const char *before;
  const char *unit;
  const char *each;
  const char *source;
} things[] = {
  { 244.2, "an average petrol car on ", "km", "244g/km", EPA },
  { 12.4, "charging a phone ", " times", "12.4g each time", EPA },
};

static char *
describe_little (guint last)
{
  return g_strdup_printf ("less than charging a phone once (%s; %s)", things[last].each,
                          things[last].source);
}

char *
jm_equivalence_describe (double grams)
{
  guint i = 0;
  double n;

  if (!isfinite (grams) || grams <= 0)
    return NULL;

  while (i < G_N_ELEMENTS (things) && grams < things[i].grams)
    i++;
  if (i == G_N_ELEMENTS (things))
    return describe_little (i - 1);

  n = grams / things[i].grams;

  return g_strdup_printf (n < FEW ? "%s%.1f%s (%s; %s)" : "%s%.0f%s (%s; %s)",
                          things[i].before, n, things[i].unit, things[i].each,
                          things[i].source);
}
