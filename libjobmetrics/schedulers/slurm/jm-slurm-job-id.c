/* jm-slurm-job-id.c: the number of a job, as users of Slurm see it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-job-id-private.h"

#include <string.h>

#define BITS_OF_DIGIT 4
/* As much of a list as Slurm shows where it is not configured otherwise. */
#define LENGTH_MAX 63
#define DOTS "..."
/* Only of what reaches farther Slurm says `first-last:step`. */
#define STEP_MIN_REACH 10

typedef struct
{
  const char *digits; /* the last has the lowest bits */
  gsize n_bits;
} Bits;

static gboolean
has_bit (const Bits *self, gsize bit)
{
  gsize n_digits = self->n_bits / BITS_OF_DIGIT;
  int digit = g_ascii_xdigit_value (self->digits[n_digits - 1 - bit / BITS_OF_DIGIT]);

  return (digit >> (bit % BITS_OF_DIGIT) & 1) != 0;
}

/* The first from @bit on; @n_bits where there is none. */
static gsize
find_bit (const Bits *self, gsize bit, gboolean is_set)
{
  while (bit < self->n_bits && has_bit (self, bit) != is_set)
    bit++;

  return bit;
}

/* `1-9:2`, or NULL. */
static char *
make_steps (const Bits *self)
{
  gsize first = find_bit (self, 0, TRUE);
  gsize second = find_bit (self, first + 1, TRUE);
  gsize last = second;

  if (second == self->n_bits || second - first == 1)
    return NULL;

  for (gsize next = find_bit (self, last + 1, TRUE); next < self->n_bits;
       next = find_bit (self, last + 1, TRUE))
    {
      if (next - last != second - first)
        return NULL;
      last = next;
    }
  if (last - first <= STEP_MIN_REACH)
    return NULL;

  return g_strdup_printf ("%" G_GSIZE_FORMAT "-%" G_GSIZE_FORMAT ":%" G_GSIZE_FORMAT,
                          first, last, second - first);
}

static char *
make_ranges (const Bits *self)
{
  g_autoptr (GString) list = g_string_new (NULL);
  gsize bit = find_bit (self, 0, TRUE);

  while (bit < self->n_bits && list->len <= LENGTH_MAX)
    {
      gsize end = find_bit (self, bit, FALSE);

      g_string_append_printf (list, "%s%" G_GSIZE_FORMAT, list->len > 0 ? "," : "",
                              bit);
      if (end - bit > 1)
        g_string_append_printf (list, "-%" G_GSIZE_FORMAT, end - 1);
      bit = find_bit (self, end, TRUE);
    }
  if (bit < self->n_bits || list->len > LENGTH_MAX)
    g_string_append (g_string_truncate (list, LENGTH_MAX - strlen (DOTS)), DOTS);

  return g_string_free (g_steal_pointer (&list), FALSE);
}

/* `0x1E` as `1-4`, as sacct shows it; cut with dots where it is long. Any other text is
 * one already. NULL where there is none. @at_once is how many may run, or 0. */
static char *
make_task_list (const char *text, gint64 at_once)
{
  g_autofree char *list = NULL;
  Bits bits;

  if (text == NULL || text[0] == '\0')
    return NULL;
  if (!g_str_has_prefix (text, "0x"))
    return g_strdup (text);

  bits.digits = text + strlen ("0x");
  bits.n_bits = strspn (bits.digits, "0123456789abcdefABCDEF") * BITS_OF_DIGIT;
  if (bits.n_bits == 0 || bits.digits[bits.n_bits / BITS_OF_DIGIT] != '\0' ||
      find_bit (&bits, 0, TRUE) == bits.n_bits)
    return NULL;

  list = make_steps (&bits);
  if (list == NULL)
    list = make_ranges (&bits);

  return at_once > 0 ? g_strdup_printf ("%s%%%" G_GINT64_FORMAT, list, at_once)
                     : g_steal_pointer (&list);
}

char *
jm_slurm_job_id_make_text (const JmSlurmJobId *self)
{
  g_autofree char *tasks = make_task_list (self->array_tasks, self->array_at_once);

  if (self->array_job > 0 && tasks != NULL)
    return g_strdup_printf ("%" G_GINT64_FORMAT "_[%s]", self->array_job, tasks);
  if (self->array_job > 0 && self->array_task >= 0)
    return g_strdup_printf ("%" G_GINT64_FORMAT "_%" G_GINT64_FORMAT, self->array_job,
                            self->array_task);
  if (self->het_job > 0 && self->het_offset >= 0)
    return g_strdup_printf ("%" G_GINT64_FORMAT "+%" G_GINT64_FORMAT, self->het_job,
                            self->het_offset);

  return g_strdup_printf ("%" G_GINT64_FORMAT, self->raw_id);
}
