/* jm-slurm-tres-list.c: a list of what Slurm counts, as sacct writes it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-tres-list-private.h"

#include <string.h>

#define WORDS_MAX 256

void
jm_slurm_tres_list_init (JmSlurmTresList *self)
{
  self->words = g_ptr_array_new_with_free_func (g_free);
}

void
jm_slurm_tres_list_clear (JmSlurmTresList *self)
{
  g_ptr_array_unref (self->words);
}

void
jm_slurm_tres_list_reset (JmSlurmTresList *self)
{
  g_ptr_array_set_size (self->words, 0);
}

void
jm_slurm_tres_list_add (JmSlurmTresList *self,
                        const char *type,
                        const char *name,
                        gint64 count)
{
  gboolean has_name = name != NULL && name[0] != '\0';

  if (self->words->len < WORDS_MAX)
    g_ptr_array_add (self->words,
                     g_strdup_printf ("%s%s%s=%" G_GINT64_FORMAT "%s", type,
                                      has_name ? "/" : "", has_name ? name : "", count,
                                      strcmp (type, "mem") == 0 ? "M" : ""));
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
