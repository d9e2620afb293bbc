/* jmc-archive-options.c: the archive that the command line or a file names
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-archive-options.h"

#include <string.h>

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
static gboolean
check (const JmSettings *named, GError **error)
{
  const char *store = jm_settings_get_text (named, "store");
  const char *server = jm_settings_get_text (named, "server");

  if (store != NULL && server != NULL)
    g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                         "--store and --server cannot be combined");
  else if (server == NULL && (jm_settings_get_text (named, "login-file") != NULL ||
                              jm_settings_get_text (named, "ca-file") != NULL))
    g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                         "--login-file and --ca-file are for a --server=URL");
  else
    return TRUE;

  return FALSE;
}

gboolean
jmc_archive_options_check (const JmcOptions *options)
{
  g_autoptr (GError) error = NULL;

  if (check (options->settings, &error))
    return TRUE;

  jmc_output_complain ("%s", error->message);

  return FALSE;
}

static gboolean
is_place_named (const JmSettings *named)
{
  return jm_settings_get_text (named, "server") != NULL ||
         jm_settings_get_text (named, "store") != NULL;
}

/* In a site's file, the login of whoever runs the command. */
static char *
expand_home (const char *path)
{
  if (path == NULL || !g_str_has_prefix (path, "~/"))
    return g_strdup (path);

  return g_build_filename (g_get_home_dir (), path + strlen ("~/"), NULL);
}

static JmArchive *
open_named (const JmSettings *named, GError **error)
{
  const char *server = jm_settings_get_text (named, "server");
  g_autofree char *login_file =
    expand_home (jm_settings_get_text (named, "login-file"));
  JmArchive *archive =
    jm_archive_open (server != NULL ? server : jm_settings_get_text (named, "store"),
                     login_file, jm_settings_get_text (named, "ca-file"), error);

  if (archive == NULL && server != NULL)
    g_prefix_error (error, "--server: ");

  return archive;
}

/* The site's file, then the user's, which adds to it and has the last word. */
static gboolean
read_files (JmSettings *named, JmHost *host, GError **error)
{
  g_autofree char *of_site = jm_host_resolve (host, JMC_USUAL_CONFIGURATION);
  g_autofree char *of_user =
    g_build_filename (g_get_user_config_dir (), "jobmetrics", "cli.conf", NULL);
  const char *const paths[] = { of_site, of_user };

  jm_settings_add_rows (named, settings, G_N_ELEMENTS (settings));
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    if (g_file_test (paths[i], G_FILE_TEST_EXISTS) &&
        !jm_settings_read_file (named, paths[i], "archive", error))
      return FALSE;
  if (check (named, error))
    return TRUE;

  g_prefix_error (error, "%s, %s: ", of_site, of_user);

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
open_usual (JmHost *host, GError **error)
{
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
                 "no archive is found; name it with --server=URL or --store=URI, "
                 "or in " JMC_USUAL_CONFIGURATION " (not here: %s: %s; %s)",
                 socket, no_server->message, no_store->message);

  return archive;
}

gboolean
jmc_archive_options_is_named (const JmcOptions *options)
{
  return is_place_named (options->settings);
}

JmArchive *
jmc_archive_options_find (const JmcOptions *options, GError **error)
{
  g_autoptr (JmSettings) configured = jm_settings_new ();
  g_autoptr (JmHost) host = NULL;

  if (is_place_named (options->settings))
    return open_named (options->settings, error);

  host = jmc_options_make_host (options);
  if (!read_files (configured, host, error))
    return NULL;

  return is_place_named (configured) ? open_named (configured, error)
                                     : open_usual (host, error);
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
