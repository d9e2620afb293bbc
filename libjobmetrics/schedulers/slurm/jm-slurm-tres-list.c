/* jm-slurm-tres-list.c: a list of what Slurm counts, as sacct writes it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-tres-list-private.h"

#include <string.h>

#define WORDS_MAX 256
#define MEBIBYTE (G_GINT64_CONSTANT (1) << 20)
/* Two of them are a number, too. */
#define COUNT_MAX (G_MAXINT64 / 2)

void
jm_slurm_tres_list_reset (JmSlurmTresList *self)
{
  g_ptr_array_set_size (self->words, 0);
  self->cpus = self->memory_bytes = self->energy_joules = -1;
  self->gpus = self->typed_gpus = -1;
  self->is_bad = FALSE;
}

void
jm_slurm_tres_list_init (JmSlurmTresList *self)
{
  self->words = g_ptr_array_new_with_free_func (g_free);
  jm_slurm_tres_list_reset (self);
}

void
jm_slurm_tres_list_clear (JmSlurmTresList *self)
{
  g_ptr_array_unref (self->words);
}

/* @kind is `mem` or `gres/gpu:a100`. */
static void
count_item (JmSlurmTresList *self, const char *kind, gint64 count)
{
  if (strcmp (kind, "cpu") == 0)
    self->cpus = count;
  else if (strcmp (kind, "mem") == 0)
    self->memory_bytes = count * MEBIBYTE;
  else if (strcmp (kind, "energy") == 0)
    self->energy_joules = count;
  else if (strcmp (kind, "gres/gpu") == 0)
    self->gpus = count;
  else if (g_str_has_prefix (kind, "gres/gpu:"))
    self->typed_gpus = MIN (MAX (self->typed_gpus, 0) + count, COUNT_MAX);
}

void
jm_slurm_tres_list_add (JmSlurmTresList *self,
                        const char *type,
                        const char *name,
                        gint64 count)
{
  gboolean has_name = name != NULL && name[0] != '\0';
  g_autofree char *kind =
    g_strconcat (type, has_name ? "/" : "", has_name ? name : "", NULL);

  if (self->words->len >= WORDS_MAX || count < 0)
    return;
  if (count > (strcmp (kind, "mem") == 0 ? COUNT_MAX / MEBIBYTE : COUNT_MAX))
    {
      self->is_bad = TRUE;
      return;
    }

  g_ptr_array_add (self->words,
                   g_strdup_printf ("%s=%" G_GINT64_FORMAT "%s", kind, count,
                                    strcmp (kind, "mem") == 0 ? "M" : ""));
  count_item (self, kind, count);
}

gint64
jm_slurm_tres_list_count_gpus (const JmSlurmTresList *self)
{
  return self->gpus >= 0 ? self->gpus : self->typed_gpus;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char *
jm_slurm_tres_list_make_text (JmSlurmTresList *self)
{
  g_autoptr (GString) text = NULL;

  if (self->words->len == 0)
    return NULL;

  g_ptr_array_sort (self->words, compare);
  text = g_string_new (g_ptr_array_index (self->words, 0));
  for (guint i = 1; i < self->words->len; i++)
    g_string_append_printf (text, ",%s",
                            (const char *) g_ptr_array_index (self->words, i));

  return g_string_free (g_steal_pointer (&text), FALSE);
}
