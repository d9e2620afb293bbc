/* jm-slurm-tres.c: what Slurm counts: CPUs, memory, GPUs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-slurm-tres-private.h"

static gboolean
is (JmSlice text, const char *word)
{
  return text.length == strlen (word) && memcmp (text.text, word, text.length) == 0;
}

static gboolean
add_type (JmSlurmTres *tres, JmSlice type, guint64 count)
{
  if (tres->n_types == JM_SLURM_GPU_TYPES_MAX)
    return FALSE;

  tres->types[tres->n_types++] = (JmSlurmGpus){ type, count };

  return TRUE;
}

static guint64
sum_types (const JmSlurmTres *tres)
{
  guint64 sum = 0;

  for (guint i = 0; i < tres->n_types; i++)
    sum += tres->types[i].count;

  return sum;
}

/* A number that may have a letter behind: K is 1024 of them. */
static gboolean
parse_number (JmSlice text, guint64 *count)
{
  gboolean has;
  guint shift = 0;

  if (text.length == 0)
    return FALSE;

  switch (text.text[text.length - 1])
    {
    case 'K':
      shift = 10;
      break;
    case 'M':
      shift = 20;
      break;
    case 'G':
      shift = 30;
      break;
    default:
      break;
    }
  if (shift > 0)
    text.length--;
  if (!jm_slurm_parse_count (text, count, &has) || !has || *count > G_MAXUINT64 >> 34)
    return FALSE;

  *count <<= shift;

  return TRUE;
}

/* --- TRES --- */

static gboolean
take_gpu (JmSlurmTres *tres, JmSlice type, guint64 count)
{
  if (type.length > 0)
    return add_type (tres, type, count);

  tres->gpus = count;
  tres->has_gpus = TRUE;

  return TRUE;
}

/* @name is what stands behind `gres/`. */
static gboolean
take_gres_count (JmSlurmTres *tres, JmSlice name, JmSlice value)
{
  JmSlice kind;
  guint64 count;

  if (!parse_number (value, &count) || !jm_slurm_take_word (&name, ':', &kind))
    return FALSE;
  if (is (kind, "gpu"))
    return take_gpu (tres, name, count);
  if (is (kind, "shard") && name.text == NULL)
    tres->shards = count;

  return TRUE;
}

/* What is not asked for here, such as billing, licences and a site's own, is left. */
static gboolean
take_tres (JmSlurmTres *tres, JmSlice name, JmSlice value)
{
  static const char gres[] = "gres/";
  const gsize length = sizeof gres - 1;

  if (name.length > length && memcmp (name.text, gres, length) == 0)
    return take_gres_count (tres, (JmSlice){ name.text + length, name.length - length },
                            value);
  if (is (name, "cpu"))
    return jm_slurm_parse_count (value, &tres->cpus, &tres->has_cpus);
  if (is (name, "mem"))
    return jm_slurm_parse_memory (value, &tres->memory_bytes, &tres->has_memory);
  if (is (name, "node"))
    return jm_slurm_parse_count (value, &tres->nodes, &tres->has_nodes);

  return TRUE;
}

gboolean
jm_slurm_parse_tres (JmSlice text, JmSlurmTres *tres)
{
  JmSlice item, name;

  *tres = (JmSlurmTres){ 0 };
  if (jm_slurm_is_absent (text))
    return TRUE;

  while (jm_slurm_take_word (&text, ',', &item))
    if (!jm_slurm_take_word (&item, '=', &name) || item.text == NULL ||
        !take_tres (tres, name, item))
      return FALSE;

  if (!tres->has_gpus && tres->n_types > 0)
    {
      tres->gpus = sum_types (tres);
      tres->has_gpus = TRUE;
    }

  return TRUE;
}

/* --- GRES --- */

/* Commas stand within parentheses, too. */
static gboolean
take_item (JmSlice *rest, JmSlice *item)
{
  gsize length = 0;
  guint depth = 0;

  if (rest->text == NULL)
    return FALSE;

  for (; length < rest->length && (depth > 0 || rest->text[length] != ','); length++)
    if (rest->text[length] == '(')
      depth++;
    else if (rest->text[length] == ')' && depth > 0)
      depth--;

  *item = (JmSlice){ rest->text, length };
  if (length == rest->length)
    *rest = (JmSlice){ NULL, 0 };
  else
    *rest = (JmSlice){ rest->text + length + 1, rest->length - length - 1 };

  return TRUE;
}

/* Which sockets they are at, and which of them are used. */
static JmSlice
strip_parentheses (JmSlice item)
{
  const char *open = memchr (item.text, '(', item.length);

  if (open != NULL)
    item.length = (gsize) (open - item.text);

  return item;
}

/* NAME[:TYPE][:no_consume][:COUNT]; one where no count stands there. */
static gboolean
take_gres (JmSlurmTres *tres, JmSlice item)
{
  JmSlice name, word;
  JmSlice type = { "", 0 };
  guint64 count = 1;
  gboolean has_count = FALSE;

  if (!jm_slurm_take_word (&item, ':', &name) || name.length == 0)
    return FALSE;

  while (jm_slurm_take_word (&item, ':', &word))
    {
      if (is (word, "no_consume"))
        continue;
      if (has_count)
        return FALSE;
      if (item.text == NULL && parse_number (word, &count))
        has_count = TRUE;
      else if (type.length == 0)
        type = word;
      else
        return FALSE;
    }

  if (is (name, "shard"))
    tres->shards += count;
  if (is (name, "mps"))
    tres->mps += count;
  if (!is (name, "gpu"))
    return TRUE;

  tres->has_gpus = TRUE;

  return add_type (tres, type, count);
}

gboolean
jm_slurm_parse_gres (JmSlice text, JmSlurmTres *tres)
{
  JmSlice item;

  *tres = (JmSlurmTres){ 0 };
  if (jm_slurm_is_absent (text))
    return TRUE;

  while (take_item (&text, &item))
    if (!take_gres (tres, strip_parentheses (item)))
      return FALSE;

  tres->gpus = sum_types (tres);

  return TRUE;
}
