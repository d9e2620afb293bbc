/* jmc-hook-answer.c: what the exporter answers a hook
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "hook/jmc-hook-answer.h"

#include <string.h>

#define VERSION "HTTP/1."
/* HTTP/1.1 200, and what follows it */
#define STATUS_AT 9
#define STATUS_END 12
#define BLANK_LINE "\r\n\r\n"

/* RFC 9112, section 4: a digit, one space, three digits. */
static gboolean
parse_status (const char *data, gsize length, guint *status)
{
  if (length <= STATUS_END || memcmp (data, VERSION, strlen (VERSION)) != 0 ||
      !g_ascii_isdigit (data[STATUS_AT - 2]) || data[STATUS_AT - 1] != ' ')
    return FALSE;

  *status = 0;
  for (gsize i = STATUS_AT; i < STATUS_END; i++)
    {
      if (!g_ascii_isdigit (data[i]))
        return FALSE;
      *status = *status * 10 + (guint) g_ascii_digit_value (data[i]);
    }

  return *status >= 100 && (data[STATUS_END] == ' ' || data[STATUS_END] == '\r');
}

static void
take_reason (const char *data, gsize length, JmcHookAnswer *answer)
{
  const char *body = g_strstr_len (data, (gssize) length, BLANK_LINE);
  const char *end = data + length;
  gsize n = 0;

  answer->reason[0] = '\0';
  if (body == NULL)
    return;

  for (body += strlen (BLANK_LINE);
       body < end && *body != '\n' && n + 1 < sizeof answer->reason; body++)
    answer->reason[n++] = g_ascii_isprint (*body) ? *body : '?';
  answer->reason[n] = '\0';
}

gboolean
jmc_hook_answer_parse (const char *data, gsize length, JmcHookAnswer *answer)
{
  length = MIN (length, JMC_HOOK_ANSWER_MAX);
  if (!parse_status (data, length, &answer->status))
    return FALSE;

  take_reason (data, length, answer);

  return TRUE;
}
