/* fuzz-mail-subject.c: any bytes as what a scheduler writes into a mail
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "mail/jmc-mail-address.h"
#include "mail/jmc-mail-parts.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* A job's id goes into headers, names of files and questions to servers. */
static void
check_job (const JmcMailSubject *subject)
{
  if (subject->job == NULL)
    return;

  g_assert_true (g_ascii_isdigit (*subject->job));
  g_assert_null (strpbrk (subject->job, " \t\r\n"));
}

/* Neither a program nor a server takes one for something else. */
static void
check_addresses (const char *text)
{
  g_autoptr (GPtrArray) addresses = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) refused = g_ptr_array_new_with_free_func (g_free);

  jmc_mail_address_add (addresses, refused, text,
                        strlen (text) % 2 == 1 ? "x.org" : NULL);
  g_assert_cmpuint (addresses->len, <=, JMC_MAIL_MAX_RECIPIENTS);
  for (guint i = 0; i < addresses->len; i++)
    {
      const char *address = addresses->pdata[i];

      g_assert_true (g_ascii_isalnum (*address) || *address == '_');
      g_assert_null (strpbrk (address, " \t\r\n<>\"\\,;:()"));
      g_assert_true (g_str_is_ascii (address));
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  const char *rest = strchr (text, '\n');
  g_auto (JmcMailSubject) subject = { 0 };

  jmc_mail_subject_parse (&subject, text, rest != NULL ? rest : "");
  check_job (&subject);
  check_addresses (text);

  return 0;
}
