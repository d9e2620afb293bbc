/* jme-ledger-query.c: which records of the ledger a client asks for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node-answers.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-moment-private.h"

#define LIMIT 100
#define WORD_MAX 256

typedef struct
{
  const char *name;
  gboolean (*take) (JmeLedgerQuery *self, const char *value, GError **error);
} Key;

static gboolean
refuse (const char *reason, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s", reason);

  return FALSE;
}

static gboolean
take_after (JmeLedgerQuery *self, const char *value, GError **error)
{
  return g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT64, &self->after, NULL) ||
         refuse ("not a position", error);
}

static gboolean
read_number (const char *value, guint *number, GError **error)
{
  guint64 read;

  if (!g_ascii_string_to_unsigned (value, 10, 1, G_MAXUINT, &read, NULL))
    return refuse ("not a number from 1 on", error);

  *number = (guint) read;

  return TRUE;
}

static gboolean
take_limit (JmeLedgerQuery *self, const char *value, GError **error)
{
  if (!read_number (value, &self->limit, error))
    return FALSE;

  /* Who asks for more gets as many: there is always a next page. */
  self->limit = MIN (self->limit, JM_LEDGER_PAGE_RECORDS);

  return TRUE;
}

static gboolean
take_newest (JmeLedgerQuery *self, const char *value, GError **error)
{
  return read_number (value, &self->newest, error);
}

static gboolean
is_word (const char *value, GError **error)
{
  return (*value != '\0' && strlen (value) <= WORD_MAX) ||
         refuse ("empty, or too long", error);
}

static gboolean
take_job (JmeLedgerQuery *self, const char *value, GError **error)
{
  if (!is_word (value, error))
    return FALSE;

  jm_ledger_filter_set_job (self->filter, value);

  return TRUE;
}

static gboolean
take_user (JmeLedgerQuery *self, const char *value, GError **error)
{
  if (!is_word (value, error))
    return FALSE;

  jm_ledger_filter_set_user (self->filter, value);

  return TRUE;
}

static gboolean
take_account (JmeLedgerQuery *self, const char *value, GError **error)
{
  if (!is_word (value, error))
    return FALSE;

  jm_ledger_filter_set_account (self->filter, value);

  return TRUE;
}

static gboolean
take_state (JmeLedgerQuery *self, const char *value, GError **error)
{
  JmRunState state;

  if (!jm_run_state_from_name (value, &state))
    return refuse ("not running, ended or lost", error);

  self->is_running = state == JM_RUN_STATE_RUNNING;
  jm_ledger_filter_set_state (self->filter, state);

  return TRUE;
}

/* What has no zone is in UTC, for a client's is not known. */
static gboolean
take_moment (JmeLedgerQuery *self, const char *value, gint64 *time_us, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  gboolean is_number = *value != '\0' && strspn (value, "0123456789") == strlen (value);
  g_autofree char *text = g_strconcat (is_number ? "@" : "", value, NULL);

  if (!is_word (value, error) || !jm_moment_parse (text, now, time_us, NULL))
    return refuse ("not a moment, such as 1795341600 or 2026-11-22T10:00:00Z", error);

  jm_ledger_filter_set_period (self->filter, self->since_us, self->until_us);

  return TRUE;
}

static gboolean
take_since (JmeLedgerQuery *self, const char *value, GError **error)
{
  return take_moment (self, value, &self->since_us, error);
}

static gboolean
take_until (JmeLedgerQuery *self, const char *value, GError **error)
{
  return take_moment (self, value, &self->until_us, error);
}

static const Key keys[] = {
  { "after", take_after }, { "limit", take_limit },     { "job", take_job },
  { "user", take_user },   { "account", take_account }, { "state", take_state },
  { "since", take_since }, { "until", take_until },     { "newest", take_newest },
};

const char *const *
jme_ledger_query_list_names (void)
{
  static const char *const names[] = { "after", "limit", "job",   "user",   "account",
                                       "state", "since", "until", "newest", NULL };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == G_N_ELEMENTS (keys) + 1);

  return names;
}

void
jme_ledger_query_init (JmeLedgerQuery *self)
{
  *self = (JmeLedgerQuery){ .filter = jm_ledger_filter_new (), .limit = LIMIT };
}

gboolean
jme_ledger_query_take (JmeLedgerQuery *self,
                       const char *name,
                       const char *value,
                       GError **error)
{
  g_autofree char *begin = g_strndup (value, WORD_MAX);
  g_autofree char *quoted = g_strescape (begin, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      if (!g_str_equal (keys[i].name, name))
        continue;
      if (keys[i].take (self, value, error))
        return TRUE;

      g_prefix_error (error, "%s=%s: ", name, quoted);
      return FALSE;
    }

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: no such key", name);

  return FALSE;
}

void
jme_ledger_query_clear (JmeLedgerQuery *self)
{
  g_clear_pointer (&self->filter, jm_ledger_filter_free);
}
