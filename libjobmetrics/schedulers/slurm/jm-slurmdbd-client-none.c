/* jm-slurmdbd-client-none.c: no database of slurmdbd, without libmariadb
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-error.h"
#include "schedulers/slurm/jm-slurmdbd-parts-private.h"

JmSlurmdbdClient *
jm_slurmdbd_client_new (const JmSlurmdbdAddress *address, GError **error)
{
  g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT,
                       "slurmdbd: this build of jobmetrics has no MariaDB");

  return NULL;
}

void
jm_slurmdbd_client_free (JmSlurmdbdClient *self)
{
}

gboolean
jm_slurmdbd_client_ask (JmSlurmdbdClient *self,
                        const char *sql,
                        guint n_columns,
                        JmSlurmdbdRowFunc func,
                        gpointer data,
                        GError **error)
{
  g_return_val_if_reached (FALSE);
}
