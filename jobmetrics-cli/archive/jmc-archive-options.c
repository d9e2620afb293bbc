/* jmc-archive-options.c: the archive that the command line names
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-archive-options.h"

#include <gio/gunixsocketaddress.h>

#include "base/jm-error.h"

static const JmSetting settings[] = {
  { .name = "server",
    .group = "archive",
    .kind = JM_SETTING_TEXT,
    .argument = "URL",
    .help = "Ask this server: https://..., or unix:PATH of its local socket",
    .preset_help = "unix:" JMC_USUAL_SERVER_SOCKET },
  { .name = "store",
    .group = "archive",
    .kind = JM_SETTING_TEXT,
    .argument = "URI",
    .help =
      "Read this database, instead of asking a server: a file, or postgresql://...",
    .preset_help = JMC_USUAL_STORE ", where no server answers" },
  { .name = "login-file",
    .group = "archive",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Lines username=NAME and password=TEXT that the server knows" },
  { .name = "ca-file",
    .group = "archive",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "CA certificates that the server's certificate is verified against",
    .preset_help = "the system's" },
};

void
jmc_archive_options_add_settings (JmcOptions *options)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_last (options, &settings[i]);
}

/* What belongs to the other place would be passed over unseen. */
gboolean
jmc_archive_options_check (const JmcOptions *options)
{
  const char *store = jmc_options_get_text (options, "store");
  const char *server = jmc_options_get_text (options, "server");

  if (store != NULL && server != NULL)
    jmc_output_complain ("--store and --server cannot be combined");
  else if (server == NULL && (jmc_options_get_text (options, "login-file") != NULL ||
                              jmc_options_get_text (options, "ca-file") != NULL))
    jmc_output_complain ("--login-file and --ca-file are for a --server=URL");
  else
    return TRUE;

  return FALSE;
}

/* Whether somebody listens there: the socket of a server that was killed stays. */
static gboolean
can_connect (const char *path, GError **error)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GSocketConnection) connection =
    g_socket_client_connect (client, G_SOCKET_CONNECTABLE (address), NULL, error);

  return connection != NULL;
}

static JmArchive *
open_usual (const JmcOptions *options, GError **error)
{
  g_autoptr (JmHost) host = jmc_options_make_host (options);
  g_autofree char *socket = jm_host_resolve (host, JMC_USUAL_SERVER_SOCKET);
  g_autofree char *file = jm_host_resolve (host, JMC_USUAL_STORE);
  g_autofree char *url = g_strconcat ("unix:", socket, NULL);
  g_autoptr (GError) no_server = NULL;
  g_autoptr (GError) no_store = NULL;
  JmArchive *archive;

  if (can_connect (socket, &no_server))
    return jm_archive_open (url, NULL, NULL, error);
  archive = jm_archive_open (file, NULL, NULL, &no_store);
  if (archive == NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                 "no archive is found; name it with --server=URL or --store=URI "
                 "(not here: %s: %s; %s)",
                 socket, no_server->message, no_store->message);

  return archive;
}

gboolean
jmc_archive_options_is_named (const JmcOptions *options)
{
  return jmc_options_get_text (options, "server") != NULL ||
         jmc_options_get_text (options, "store") != NULL;
}

JmArchive *
jmc_archive_options_find (const JmcOptions *options, GError **error)
{
  const char *server = jmc_options_get_text (options, "server");
  JmArchive *archive;

  if (!jmc_archive_options_is_named (options))
    return open_usual (options, error);

  archive =
    jm_archive_open (server != NULL ? server : jmc_options_get_text (options, "store"),
                     jmc_options_get_text (options, "login-file"),
                     jmc_options_get_text (options, "ca-file"), error);
  if (archive == NULL && server != NULL)
    g_prefix_error (error, "--server: ");

  return archive;
}

JmArchive *
jmc_archive_options_open (const JmcOptions *options, int *status)
{
  g_autoptr (GError) error = NULL;
  JmArchive *archive;

  *status = JMC_EXIT_USAGE;
  if (!jmc_archive_options_check (options))
    return NULL;

  *status = JMC_EXIT_FAILURE;
  archive = jmc_archive_options_find (options, &error);
  if (archive == NULL)
    jmc_output_complain ("%s", error->message);

  return archive;
}

void
jmc_archive_options_add_series (JmArchive *archive, JmRunReport *report)
{
  g_autoptr (GError) error = NULL;

  if (!jm_archive_add_series (archive, report, NULL, &error))
    jmc_output_complain ("no time series are shown: %s", error->message);
}

void
jmc_archive_options_add_siblings (JmArchive *archive, JmRunReport *report)
{
  g_autoptr (GError) error = NULL;

  if (!jm_archive_add_siblings (archive, report, NULL, &error))
    jmc_output_complain ("not compared with other runs: %s", error->message);
}
