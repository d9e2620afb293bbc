/* jm-placeholder.c: what a part of a path may have, and how it looks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-placeholder-private.h"

#include <string.h>

#include "core/jm-uuid-private.h"

#define STEP_MAX_BYTES 64
#define WORD_MAX_BYTES 128
#define UUID_DIGITS 32
#define UUID_BYTES 36
#define UID_INVALID G_MAXUINT32 /* (uid_t) -1 */
/* Above it Slurm has NO_VAL, INFINITE and numbers of steps with a name (slurm.h). */
#define JOB_NUMBER_MAX 0xfffffff0u

/* --- checks; that the characters may be in it is known --- */

static gboolean
is_number_to (JmSlice text, guint64 max)
{
  guint64 value;

  return (text.length <= 1 || text.text[0] != '0') &&
         jm_parse_uint64 (text.text, text.length, &value) && value <= max;
}

static gboolean
is_number (JmSlice text)
{
  return is_number_to (text, G_MAXUINT64);
}

static gboolean
is_small_number (JmSlice text)
{
  return is_number_to (text, G_MAXUINT32);
}

static gboolean
is_job_number (JmSlice text)
{
  return is_number_to (text, JOB_NUMBER_MAX) && text.text[0] != '0';
}

static gboolean
is_uid (JmSlice text)
{
  return is_number_to (text, UID_INVALID - 1);
}

static gboolean
is_sluid (JmSlice text)
{
  return jm_is_sluid (text.text, text.length);
}

static gboolean
is_step (JmSlice text)
{
  return text.length > 0 && text.length <= STEP_MAX_BYTES;
}

/* Never `..`, nor what a command would take for an option. */
static gboolean
is_word (JmSlice text)
{
  return text.length > 0 && text.length <= WORD_MAX_BYTES &&
         g_ascii_isalnum (text.text[0]);
}

static gboolean
is_user (JmSlice text)
{
  const char *dollar = memchr (text.text, '$', text.length);

  return text.length > 0 && text.length <= WORD_MAX_BYTES &&
         (g_ascii_isalpha (text.text[0]) || text.text[0] == '_') &&
         (dollar == NULL || dollar == text.text + text.length - 1);
}

static gboolean
is_dash_of_uuid (gsize i)
{
  return i == 8 || i == 13 || i == 18 || i == 23;
}

/* Kubernetes' pods of a node's own have 32 digits in a row. */
static gboolean
is_uuid (JmSlice text)
{
  if (text.length != UUID_BYTES && text.length != UUID_DIGITS)
    return FALSE;

  for (gsize i = 0; i < text.length; i++)
    if (g_ascii_isxdigit (text.text[i]) ==
        (text.length == UUID_BYTES && is_dash_of_uuid (i)))
      return FALSE;

  return TRUE;
}

static gboolean
is_name (JmSlice text)
{
  return text.length > 0 && text.length <= JM_NAME_MAX_BYTES;
}

/* --- placeholders --- */

static const JmPlaceholder placeholders[] = {
  { 'j', JM_PATH_FIELD_JOB, FALSE, FALSE, "", "1", is_number },
  { 'b', JM_PATH_FIELD_JOB, FALSE, FALSE, "", "1", is_job_number },
  { 'J', JM_PATH_FIELD_JOB, FALSE, TRUE, "_.+-[]", "1", is_word },
  { 'P', JM_PATH_FIELD_JOB, FALSE, TRUE, "-_", "00000000-0000-0000-0000-000000000001",
    is_uuid },
  { 'k', JM_PATH_FIELD_KEY, FALSE, TRUE, "_.+-@", "a1", is_word },
  { 'd', JM_PATH_FIELD_KEY, FALSE, FALSE, "_", "1", is_word },
  { 'S', JM_PATH_FIELD_SLUID, FALSE, TRUE, "", "s0000000000001", is_sluid },
  { 's', JM_PATH_FIELD_STEP, FALSE, TRUE, "_.+-", "0", is_step },
  { 't', JM_PATH_FIELD_TASK, FALSE, FALSE, "", "0", is_small_number },
  { 'u', JM_PATH_FIELD_UID, FALSE, FALSE, "", "1000", is_uid },
  { 'U', JM_PATH_FIELD_USER, FALSE, TRUE, "_.-$", "user", is_user },
  { 'o', JM_PATH_FIELD_OWNER, FALSE, FALSE, "", "1000", is_uid },
  { 'c', JM_PATH_FIELD_CLUSTER, FALSE, TRUE, "_.-", "cluster", is_word },
  { 'A', JM_PATH_FIELD_ACCOUNT, FALSE, TRUE, ".-", "account", is_word },
  { 'N', JM_PATH_FIELD_NAME, FALSE, TRUE, ".-", "name", is_word },
  { 'i', JM_PATH_FIELD_INDEX, FALSE, FALSE, "", "1", is_small_number },
  { 'n', JM_PATH_FIELD_NODE, TRUE, FALSE, "", "node", is_name },
  { 'x', JM_PATH_FIELD_ANY, FALSE, TRUE, "_.+-", "x", is_name },
};

/**
 * jm_placeholder_find: (skip)
 * @letter: behind a percent sign
 *
 * Returns: (nullable): what it stands for
 */
const JmPlaceholder *
jm_placeholder_find (char letter)
{
  for (guint i = 0; i < G_N_ELEMENTS (placeholders); i++)
    if (placeholders[i].letter == letter)
      return &placeholders[i];

  return NULL;
}

/**
 * jm_placeholder_may_have: (skip)
 * @self: a placeholder
 * @c: a character
 *
 * Returns: whether @c may be in what it stands for
 */
gboolean
jm_placeholder_may_have (const JmPlaceholder *self, char c)
{
  return c != '\0' && c != '/' &&
         (self->is_free || g_ascii_isdigit (c) ||
          (self->has_letters && g_ascii_isalpha (c)) ||
          strchr (self->others, c) != NULL);
}

/**
 * jm_placeholder_check: (skip)
 * @letter: behind a percent sign
 * @text: a text
 *
 * Returns: whether @text is what the placeholder can stand for
 */
gboolean
jm_placeholder_check (char letter, JmSlice text)
{
  const JmPlaceholder *self = jm_placeholder_find (letter);

  g_return_val_if_fail (self != NULL, FALSE);

  for (gsize i = 0; i < text.length; i++)
    if (!jm_placeholder_may_have (self, text.text[i]))
      return FALSE;

  return self->check (text);
}

/* systemd keeps the dash for its own use, so the kubelet writes something else. */
static char *
dup_uuid (JmSlice text)
{
  char *uuid = g_ascii_strdown (text.text, (gssize) text.length);

  return g_strdelimit (uuid, "_", '-');
}

/**
 * jm_placeholder_dup_value: (skip)
 * @self: a placeholder
 * @text: what it stands for
 *
 * Returns: (transfer full): what that reports; of a uuid the usual form
 */
char *
jm_placeholder_dup_value (const JmPlaceholder *self, JmSlice text)
{
  return self->check == is_uuid ? dup_uuid (text) : g_strndup (text.text, text.length);
}
