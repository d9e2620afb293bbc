/* jmc-archive-options.h: the archive that the command line or a file names
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-archive.h"
#include "jmc-options.h"
#include "judge/jm-run-report.h"

G_BEGIN_DECLS

/* The configuration file with the archive of commands without --server and --store:
 * section [archive], with the keys server, store, login-file and ca-file. */
#define JMC_USUAL_CONFIGURATION "/etc/jobmetrics/cli.conf"
/* Where the server's unit has its socket and its database. */
#define JMC_USUAL_SERVER_SOCKET "/run/jobmetrics-server/socket"
#define JMC_USUAL_STORE "/var/lib/jobmetrics-server/accounts.db"

void jmc_archive_options_add_settings (JmcOptions *options);

/* NULL, and has reported why and put an exit status there, where there are none. */
JmArchive *jmc_archive_options_open (const JmcOptions *options, int *status);

/* Whether the command line says where they are. */
gboolean jmc_archive_options_is_named (const JmcOptions *options);

/* FALSE, after reporting why, if an option is invalid. */
gboolean jmc_archive_options_check (const JmcOptions *options);

/* The same as jmc_archive_options_open(), of options that were checked, for those who
 * can do without. */
JmArchive *jmc_archive_options_find (const JmcOptions *options, GError **error);

/* What a time series database has of a run's course; one that cannot be read is
 * reported, and costs no more than that. */
void jmc_archive_options_add_series (JmArchive *archive, JmRunReport *report);

/* How the run compares with those of the same job, likewise. */
void jmc_archive_options_add_siblings (JmArchive *archive, JmRunReport *report);

G_END_DECLS
