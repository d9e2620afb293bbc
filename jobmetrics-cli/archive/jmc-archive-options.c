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

/* --- what names the archive --- */

/* Place:
 * @server: the URL of a server; NULL where a database is named, or nothing
 * @store: the URI of a database
 * @login_file: for the server
 * @ca_file: for the server
 * @namer: what named it, as messages begin; NULL for nothing */
typedef struct
{
  const char *server;
  const char *store;
  const char *login_file;
  const char *ca_file;
  const char *namer;
} Place;

static Place
get_place (const JmSettings *from, const char *namer)
{
  Place place = { .server = jm_settings_get_text (from, "server"),
                  .store = jm_settings_get_text (from, "store"),
                  .login_file = jm_settings_get_text (from, "login-file"),
                  .ca_file = jm_settings_get_text (from, "ca-file") };

  if (place.server != NULL || place.store != NULL)
    place.namer = namer;

  return place;
}

/* What belongs to the other place would be passed over unseen. */
static gboolean
check_place (const Place *place, GError **error)
{
  if (place->store != NULL && place->server != NULL)
    g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                         "--store and --server cannot be combined");
  else if (place->store != NULL &&
           (place->login_file != NULL || place->ca_file != NULL))
    g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                         "--login-file and --ca-file are for a --server=URL");
  else
    return TRUE;

  return FALSE;
}

/* A later one that names a place replaces the earlier, else it adds to it. */
static void
add_place (Place *place, Place later)
{
  if (later.namer != NULL)
    *place = later;
  if (later.login_file != NULL)
    place->login_file = later.login_file;
  if (later.ca_file != NULL)
    place->ca_file = later.ca_file;
}

gboolean
jmc_archive_options_check (const JmcOptions *options)
{
  const Place place = get_place (options->settings, "--server");
  g_autoptr (GError) error = NULL;

  if (check_place (&place, &error))
    return TRUE;

  jmc_output_complain ("%s", error->message);

  return FALSE;
}

gboolean
jmc_archive_options_is_named (const JmcOptions *options)
{
  return get_place (options->settings, "--server").namer != NULL;
}

/* One that is not there adds nothing. */
static gboolean
add_file (Place *place, JmSettings *file, const char *path, GError **error)
{
  Place named;

  jm_settings_add_rows (file, settings, G_N_ELEMENTS (settings));
  if (g_file_test (path, G_FILE_TEST_EXISTS) &&
      !jm_settings_read_file (file, path, "archive", error))
    return FALSE;
  named = get_place (file, path);
  if (!check_place (&named, error))
    {
      g_prefix_error (error, "%s: ", path);
      return FALSE;
    }
  add_place (place, named);

  return TRUE;
}

/* --- opening it --- */

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

/* In a site's file, what is in the home of whoever runs the command. */
static char *
expand_home (const char *path)
{
  if (path == NULL || !g_str_has_prefix (path, "~/"))
    return g_strdup (path);

  return g_build_filename (g_get_home_dir (), path + strlen ("~/"), NULL);
}

static JmArchive *
open_place (const Place *place, GError **error)
{
  g_autofree char *login_file = expand_home (place->login_file);
  g_autofree char *ca_file = expand_home (place->ca_file);
  JmArchive *archive =
    jm_archive_open (place->server != NULL ? place->server : place->store, login_file,
                     ca_file, error);

  if (archive == NULL && place->server != NULL)
    g_prefix_error (error, "%s: ", place->namer);

  return archive;
}

JmArchive *
jmc_archive_options_find (const JmcOptions *options, GError **error)
{
  g_autoptr (JmHost) host = jmc_options_make_host (options);
  g_autofree char *of_site = jm_host_resolve (host, JMC_USUAL_CONFIGURATION);
  g_autofree char *of_user =
    g_build_filename (g_get_user_config_dir (), "jobmetrics", "cli.conf", NULL);
  g_autoptr (JmSettings) site = jm_settings_new ();
  g_autoptr (JmSettings) user = jm_settings_new ();
  Place place = { NULL };

  if (!jmc_archive_options_is_named (options) &&
      (!add_file (&place, site, of_site, error) ||
       !add_file (&place, user, of_user, error)))
    return NULL;
  add_place (&place, get_place (options->settings, "--server"));
  if (place.namer != NULL)
    return open_place (&place, error);
  if (place.login_file == NULL && place.ca_file == NULL)
    return open_usual (host, error);

  g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                       "a login or CA file is named, but no server (--server=URL)");

  return NULL;
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
