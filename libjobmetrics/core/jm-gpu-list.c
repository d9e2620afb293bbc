/* jm-gpu-list.c: devices as schedulers and their jobs' variables list them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-gpu-list-private.h"

#include <string.h>

#include "core/jm-gpu-private.h"

#define TEXT_MAX 65536
/* The longest is MIG-GPU-, a uuid and two numbers. */
#define WORD_MAX 80
/* No node has as many devices. */
#define NUMBER_MAX 4095

#define SEPARATORS ", ;\t\n"
/* Where Slurm says which of a kind: gpu:a100:2(IDX:0,3) */
#define INDEXES "(IDX:"

#define DEV_PREFIX "/dev/"
#define DRI_PREFIX "dri/"
/* Before the numbers of HTCondor up to 8.8. */
#define CUDA_PREFIX "CUDA"

typedef struct
{
  JmGpuNumbers numbers;
  JmGpuOrigin origin;
  JmGpuGrants *grants;
} List;

/* A driver's files, by the number that the kernel gives them. */
static const struct
{
  const char *prefix;
  guint major;
} files[] = {
  { "nvidia", 195 },
  { "renderD", 226 },
  { "card", 226 },
};

/* Takes a decimal number from the beginning of *@text. */
static gboolean
take_number (const char **text, guint *number)
{
  const char *p = *text;

  *number = 0;
  for (; g_ascii_isdigit (*p) && *number <= NUMBER_MAX; p++)
    *number = *number * 10 + (guint) g_ascii_digit_value (*p);
  if (p == *text || *number > NUMBER_MAX)
    return FALSE;

  *text = p;
  return TRUE;
}

static void
add_number (const List *self, guint number)
{
  char name[16];

  switch (self->numbers)
    {
    case JM_GPU_NUMBERS_OF_SCHEDULER:
      jm_gpu_grants_add_index (self->grants, self->origin, number, 1);
      break;
    case JM_GPU_NUMBERS_OF_DRIVER:
      g_snprintf (name, sizeof name, "%u", number);
      jm_gpu_grants_add (self->grants, self->origin, name, 1);
      break;
    case JM_GPU_NUMBERS_OF_JOB:
      break;
    }
}

/* `3`, `0-3`, or `CUDA0` */
static gboolean
take_range (const List *self, const char *word)
{
  guint first, last;

  if (g_str_has_prefix (word, CUDA_PREFIX))
    word += strlen (CUDA_PREFIX);
  if (!take_number (&word, &first))
    return FALSE;
  last = first;
  if (*word == '-')
    {
      word++;
      if (!take_number (&word, &last) || last < first)
        return FALSE;
    }
  if (*word != '\0')
    return FALSE;

  for (guint i = first; i <= last; i++)
    add_number (self, i);

  return TRUE;
}

/* `/dev/nvidia0`, `nvidia0`, `/dev/dri/renderD128` */
static gboolean
take_file (const List *self, const char *word)
{
  if (g_str_has_prefix (word, DEV_PREFIX))
    word += strlen (DEV_PREFIX);
  if (g_str_has_prefix (word, DRI_PREFIX))
    word += strlen (DRI_PREFIX);

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      const char *p = word + strlen (files[i].prefix);
      char number[32];
      guint minor;

      if (!g_str_has_prefix (word, files[i].prefix) || !take_number (&p, &minor) ||
          *p != '\0')
        continue;

      g_snprintf (number, sizeof number, "%u:%u", files[i].major, minor);
      jm_gpu_grants_add (self->grants, self->origin, number, 1);
      return TRUE;
    }

  return FALSE;
}

/* `0.3`: instance 3 of device 0; `amd0` */
static gboolean
is_own_name (const char *word)
{
  guint number;

  if (g_str_has_prefix (word, "amd"))
    word += strlen ("amd");
  else if (g_str_has_prefix (word, "intel"))
    word += strlen ("intel");
  if (!take_number (&word, &number))
    return FALSE;

  return *word == '\0' ||
         (*word++ == '.' && take_number (&word, &number) && *word == '\0');
}

static gboolean
is_uuid (const char *word)
{
  if (!g_str_has_prefix (word, "GPU-") && !g_str_has_prefix (word, "MIG-"))
    return FALSE;

  for (word += strlen ("GPU-"); *word != '\0'; word++)
    if (!g_ascii_isalnum (*word) && *word != '-' && *word != '/')
      return FALSE;

  return TRUE;
}

static gboolean
is_name (const char *word)
{
  g_autofree char *address = jm_gpu_format_pci_address (word);

  return address != NULL || is_uuid (word) || is_own_name (word);
}

/* How they say that there is no device; and how Slurm counts devices without naming
 * one: `gpu:2`, `gpu:a100:2(S:0-1)`. */
static gboolean
tells_nothing (const char *word)
{
  static const char *const words[] = { "-1",         "all",    "none", "void",
                                       "NoDevFiles", "(null)", NULL };

  return g_strv_contains (words, word) || g_str_has_prefix (word, "gpu:");
}

static gboolean
take_word (const List *self, const char *word)
{
  if (take_range (self, word) || take_file (self, word))
    return TRUE;
  if (!is_name (word))
    return tells_nothing (word);

  jm_gpu_grants_add (self->grants, self->origin, word, 1);
  return TRUE;
}

static gboolean
take_text (const List *self, const char *text, gsize length)
{
  char word[WORD_MAX + 1];

  if (length > WORD_MAX)
    return FALSE;

  memcpy (word, text, length);
  word[length] = '\0';

  return take_word (self, word);
}

/* The words of a list without parentheses. */
static gboolean
take_words (const List *self, const char *text, gsize length)
{
  gboolean is_sound = TRUE;
  const char *end = text + length;

  while (text < end)
    {
      const char *start = text;

      while (text < end && strchr (SEPARATORS, *text) == NULL)
        text++;
      if (text > start)
        is_sound &= take_text (self, start, (gsize) (text - start));
      if (text < end)
        text++;
    }

  return is_sound;
}

/* What stands between parentheses names devices, or sockets and what else may be. */
static gboolean
take_parentheses (const List *self, const char **text)
{
  const char *open = *text;
  const char *close = strchr (open, ')');
  gsize skip = strlen (INDEXES);

  *text = close != NULL ? close + 1 : open + strlen (open);
  if (close == NULL)
    return FALSE;

  return !g_str_has_prefix (open, INDEXES) ||
         take_words (self, open + skip, (gsize) (close - open) - skip);
}

gboolean
jm_gpu_list_take (const char *text,
                  JmGpuNumbers numbers,
                  JmGpuOrigin origin,
                  JmGpuGrants *grants)
{
  const List self = { numbers, origin, grants };
  gboolean is_sound = TRUE;

  if (strnlen (text, TEXT_MAX) == TEXT_MAX)
    return FALSE;

  while (*text != '\0')
    {
      gsize length = strcspn (text, "(");

      is_sound &= take_words (&self, text, length);
      text += length;
      if (*text == '(')
        is_sound &= take_parentheses (&self, &text);
    }

  return is_sound;
}
