/* jm-uuid.c: names that never change: RFC 4122 version 5
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-uuid-private.h"

#include <string.h>

#define SLUID_BYTES 14

/* The version 5 uuid of "jobmetrics.job" in the RFC's DNS name space. Every observer
 * of a job must use the same one: it may never change. */
static const guint8 job_namespace[16] = { 0xce, 0x34, 0x03, 0x8f, 0xa2, 0x24,
                                          0x51, 0x58, 0xb8, 0x85, 0xd1, 0xfc,
                                          0x40, 0xd2, 0x76, 0x61 };

static char *
uuid_v5 (const guint8 name_space[16], const char *name)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA1);
  guint8 d[20];
  gsize length = sizeof d;

  g_checksum_update (checksum, name_space, 16);
  g_checksum_update (checksum, (const guchar *) name, strlen (name));
  g_checksum_get_digest (checksum, d, &length);
  d[6] = (d[6] & 0x0f) | 0x50; /* version 5 */
  d[8] = (d[8] & 0x3f) | 0x80; /* the RFC's variant */

  return g_strdup_printf ("%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
                          "%02x%02x%02x%02x%02x%02x",
                          d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8], d[9],
                          d[10], d[11], d[12], d[13], d[14], d[15]);
}

static char *
uuid_for_run (const char *cluster, const char *job_id, const char *moment)
{
  g_autofree char *name =
    g_strconcat (cluster != NULL ? cluster : "", "/", job_id, "/", moment, NULL);

  return uuid_v5 (job_namespace, name);
}

/* Names a run of a job once and for all. All nodes of a job, the daemon after a restart
 * and the accounting get the same name from the same three words.
 *
 * - Shape: version 5 of RFC 4122 (SHA-1) over `cluster/job_id/start_time`; over
 *   `cluster/job_id/` where no start is known: a weak one, which a later job of the
 *   same id would have too.
 *
 * Returns the uuid, 36 characters. */
char *
jm_uuid_for_job (const char *cluster, const char *job_id, gint64 start_time)
{
  char moment[32] = "";

  g_return_val_if_fail (job_id != NULL, NULL);

  if (start_time > 0)
    g_snprintf (moment, sizeof moment, "%" G_GINT64_FORMAT, start_time);

  return uuid_for_run (cluster, job_id, moment);
}

/* Names a job that never ran, such as one that was cancelled while it waited.
 *
 * - Shape: version 5 of RFC 4122 (SHA-1) over `cluster/job_id/submit:submit_time`.
 *
 * Returns the uuid, 36 characters. */
char *
jm_uuid_for_submission (const char *cluster, const char *job_id, gint64 submit_time)
{
  char moment[40];

  g_return_val_if_fail (job_id != NULL, NULL);

  g_snprintf (moment, sizeof moment, "submit:%" G_GINT64_FORMAT, submit_time);

  return uuid_for_run (cluster, job_id, moment);
}

/* Names a run of a job once and for all by what its scheduler calls it.
 *
 * - Shape: version 5 of RFC 4122 (SHA-1) over `scheduler:id`.
 *
 * Returns the uuid, 36 characters. */
char *
jm_uuid_for_unique_id (const char *scheduler, const char *id)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (id != NULL, NULL);

  name = g_strconcat (scheduler != NULL ? scheduler : "", ":", id, NULL);

  return uuid_v5 (job_namespace, name);
}

/* An `s`, and a number in Crockford's base 32. */
gboolean
jm_is_sluid (const char *text, gsize length)
{
  if (length != SLUID_BYTES || text[0] != 's')
    return FALSE;

  for (gsize i = 1; i < length; i++)
    if (text[i] == '\0' || strchr ("0123456789ABCDEFGHJKMNPQRSTVWXYZ", text[i]) == NULL)
      return FALSE;

  return TRUE;
}
