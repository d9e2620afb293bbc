/* jm-uuid.c: names that never change: RFC 4122 version 5
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-uuid.h"

#include <string.h>

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

/**
 * jm_uuid_for_job:
 * @cluster: (nullable): the cluster's name
 * @job_id: the scheduler's job id
 * @moment: (nullable): what tells jobs of the same id apart: Slurm's SLUID, else the
 *   start time in seconds since 1970; %NULL when unknown, which makes a weak uuid
 *
 * Names a job once and for all. All nodes of a job, the daemon after a restart and
 * the accounting get the same name from the same three words.
 *
 * - Shape: version 5 of RFC 4122 (SHA-1) over `cluster/job_id/moment`.
 *
 * Returns: (transfer full): the uuid, 36 characters
 * Since: 0.1
 */
char *
jm_uuid_for_job (const char *cluster, const char *job_id, const char *moment)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (job_id != NULL, NULL);

  name = g_strconcat (cluster != NULL ? cluster : "", "/", job_id, "/",
                      moment != NULL ? moment : "", NULL);

  return uuid_v5 (job_namespace, name);
}
