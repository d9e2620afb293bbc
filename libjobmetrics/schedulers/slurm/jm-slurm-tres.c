/* jm-slurm-tres.c: what Slurm counts: CPUs, memory, GPUs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-tres-private.h"

/* What Slurm prints in place of a type that is not there. */
#define NO_TYPE "(null)"

static gboolean
is_same (JmSlice a, JmSlice b)
{
  return a.length == b.length &&
         (a.length == 0 || memcmp (a.text, b.text, a.length) == 0);
}

static void
tres_init (JmSlurmTres *tres, gint64 count)
{
  *tres = (JmSlurmTres){ .cpus = -1,
                         .memory_bytes = -1,
                         .nodes = -1,
                         .gpus = count,
                         .shards = count,
                         .mps = count };
}

/* An unknown part makes the sum unknown. */
static void
add (gint64 *sum, gint64 count)
{
  if (*sum < 0 || count < 0)
    *sum = -1;
  else
    *sum = *sum > G_MAXINT64 - count ? G_MAXINT64 : *sum + count;
}

static JmSlurmGpus *
find_type (const JmSlurmTres *tres, JmSlice type)
{
  for (guint i = 0; i < tres->n_types; i++)
    if (is_same (tres->types[i].type, type))
      return (JmSlurmGpus *) &tres->types[i];

  return NULL;
}

/* FALSE where there is no room. */
static gboolean
add_type (JmSlurmTres *tres, JmSlice type, gint64 count)
{
  JmSlurmGpus *gpus = find_type (tres, type);

  if (gpus != NULL)
    add (&gpus->count, count);
  else if (tres->n_types < JM_SLURM_GPU_TYPES_MAX)
    tres->types[tres->n_types++] = (JmSlurmGpus){ type, count };
  else
    return FALSE;

  return TRUE;
}

gint64
jm_slurm_tres_count_type (const JmSlurmTres *tres, JmSlice type)
{
  const JmSlurmGpus *gpus = find_type (tres, type);

  return gpus != NULL ? gpus->count : 0;
}

gint64
jm_slurm_get_job_memory (gint64 memory_bytes)
{
  return memory_bytes > 0 ? memory_bytes : -1;
}

static void
refuse (JmSlurmTres *tres, guint kind, JmSlice item)
{
  if (tres->unread == 0)
    tres->bad = item;
  tres->unread |= kind;
}

/* --- TRES --- */

/* GPUs of a type are some of all. */
static gboolean
take_gpus (JmSlurmTres *tres, JmSlice type, JmSlice value)
{
  gint64 count = -1;
  gboolean is_good = jm_scheduler_take_value (value, jm_scheduler_parse_amount, &count);

  if (type.length > 0)
    return add_type (tres, type, count) && is_good;
  tres->gpus = count;

  return is_good;
}

static gboolean
take_tres (JmSlurmTres *tres, guint kind, JmSlice type, JmSlice value)
{
  switch (kind)
    {
    case JM_SLURM_ITEM_CPU:
      return jm_scheduler_take_value (value, jm_scheduler_parse_amount, &tres->cpus);
    case JM_SLURM_ITEM_MEM:
      return jm_scheduler_take_value (value, jm_scheduler_parse_memory,
                                      &tres->memory_bytes);
    case JM_SLURM_ITEM_NODE:
      return jm_scheduler_take_value (value, jm_scheduler_parse_amount, &tres->nodes);
    case JM_SLURM_ITEM_GPU:
      return take_gpus (tres, type, value);
    case JM_SLURM_ITEM_SHARD:
      return type.length > 0 ||
             jm_scheduler_take_value (value, jm_scheduler_parse_amount, &tres->shards);
    default:
      return TRUE;
    }
}

/* @type is what stands behind `gres/gpu:`. 0 for a kind that is not asked for. */
static guint
find_kind (JmSlice name, JmSlice *type)
{
  static const struct
  {
    const char *name;
    guint kind;
  } kinds[] = { { "cpu", JM_SLURM_ITEM_CPU },
                { "mem", JM_SLURM_ITEM_MEM },
                { "node", JM_SLURM_ITEM_NODE },
                { "gres/gpu", JM_SLURM_ITEM_GPU },
                { "gres/shard", JM_SLURM_ITEM_SHARD } };
  JmSlice first;

  jm_slice_take_word (&name, ':', &first);
  *type = name;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (jm_slice_equal (first, kinds[i].name))
      return kinds[i].kind;

  return 0;
}

gboolean
jm_slurm_parse_tres (JmSlice text, JmSlurmTres *tres)
{
  gint64 sum = 0;
  JmSlice item;

  tres_init (tres, -1);
  if (jm_scheduler_is_absent (text))
    return TRUE;

  while (jm_slice_take_word (&text, ',', &item))
    {
      JmSlice value = item;
      JmSlice name, type;
      guint kind;

      jm_slice_take_word (&value, '=', &name);
      kind = find_kind (name, &type);
      tres->named |= kind;
      if (value.text == NULL)
        refuse (tres, kind != 0 ? kind : JM_SLURM_ITEM_OTHER, item);
      else if (!take_tres (tres, kind, type, value))
        refuse (tres, kind, item);
    }

  for (guint i = 0; i < tres->n_types; i++)
    add (&sum, tres->types[i].count);
  if (tres->gpus < 0 && tres->n_types > 0 && (tres->unread & JM_SLURM_ITEM_GPU) == 0)
    tres->gpus = sum;

  return tres->unread == 0;
}

/* --- GRES --- */

static guint
count_open (guint depth, char c)
{
  if (c == '(')
    return depth + 1;

  return c == ')' && depth > 0 ? depth - 1 : depth;
}

static gboolean
is_balanced (JmSlice text)
{
  guint depth = 0;

  for (gsize i = 0; i < text.length; i++)
    depth = count_open (depth, text.text[i]);

  return depth == 0;
}

/* Separators within parentheses are none. */
static gboolean
take_outer_word (JmSlice *rest, char separator, JmSlice *word)
{
  gsize length = 0;
  guint depth = 0;

  if (rest->text == NULL)
    return FALSE;

  for (; length < rest->length && (depth > 0 || rest->text[length] != separator);
       length++)
    depth = count_open (depth, rest->text[length]);

  *word = (JmSlice){ rest->text, length };
  if (length == rest->length)
    *rest = (JmSlice){ NULL, 0 };
  else
    *rest = (JmSlice){ rest->text + length + 1, rest->length - length - 1 };

  return TRUE;
}

/* Which sockets they are at, and which of them are used. */
static JmSlice
strip_parentheses (JmSlice word)
{
  const char *open = memchr (word.text, '(', word.length);

  if (open != NULL)
    word.length = (gsize) (open - word.text);

  return word;
}

static gboolean
has_no_type (JmSlice word)
{
  const gsize length = strlen (NO_TYPE);

  return word.length >= length && memcmp (word.text, NO_TYPE, length) == 0;
}

/* A type may begin with a digit, and has another character, which no count has. */
static gboolean
is_count (JmSlice word)
{
  guint64 count;
  gboolean has;
  gsize n_digits = 0;

  while (n_digits < word.length && g_ascii_isdigit (word.text[n_digits]))
    n_digits++;

  return word.length > 0 &&
         (word.text[0] == '-' || n_digits == word.length ||
          (n_digits > 0 && jm_scheduler_parse_amount (word, &count, &has)));
}

/* [:TYPE][:no_consume][:COUNT]; one where no count stands there. */
static gboolean
parse_gres_item (JmSlice rest, JmSlice *type, gint64 *count)
{
  gboolean is_good = TRUE;
  JmSlice word;

  *type = (JmSlice){ "", 0 };
  *count = 1;
  while (is_good && take_outer_word (&rest, ':', &word))
    {
      if (has_no_type (word))
        continue;

      word = strip_parentheses (word);
      if (jm_slice_equal (word, "no_consume"))
        continue;
      if (rest.text == NULL && is_count (word))
        {
          *count = -1;
          return jm_scheduler_take_value (word, jm_scheduler_parse_amount, count);
        }
      is_good = type->length == 0 && word.length > 0;
      if (type->length == 0)
        *type = word;
    }
  if (!is_good)
    *count = -1;

  return is_good;
}

static gboolean
take_gres (JmSlurmTres *tres, guint kind, JmSlice rest)
{
  JmSlice type;
  gint64 count;
  gboolean is_good = parse_gres_item (rest, &type, &count);

  switch (kind)
    {
    case JM_SLURM_ITEM_GPU:
      add (&tres->gpus, count);
      return add_type (tres, type, count) && is_good;
    case JM_SLURM_ITEM_SHARD:
      add (&tres->shards, count);
      return is_good;
    case JM_SLURM_ITEM_MPS:
      add (&tres->mps, count);
      return is_good;
    default:
      return TRUE;
    }
}

gboolean
jm_slurm_parse_gres (JmSlice text, JmSlurmTres *tres)
{
  gboolean (*take_item) (JmSlice * rest, char separator, JmSlice *word);
  JmSlice item;

  tres_init (tres, 0);
  if (jm_scheduler_is_absent (text))
    return TRUE;

  /* a parenthesis that is left open must not cost the items behind it */
  take_item = is_balanced (text) ? take_outer_word : jm_slice_take_word;
  while (take_item (&text, ',', &item))
    {
      JmSlice rest = item;
      JmSlice name;
      guint kind;

      take_outer_word (&rest, ':', &name);
      name = strip_parentheses (name);
      kind = jm_slice_equal (name, "gpu")     ? JM_SLURM_ITEM_GPU
             : jm_slice_equal (name, "shard") ? JM_SLURM_ITEM_SHARD
             : jm_slice_equal (name, "mps")   ? JM_SLURM_ITEM_MPS
                                              : 0;
      tres->named |= kind;
      if (name.length == 0)
        refuse (tres, JM_SLURM_ITEM_OTHER, item);
      else if (!take_gres (tres, kind, rest))
        refuse (tres, kind, item);
    }

  return tres->unread == 0;
}
