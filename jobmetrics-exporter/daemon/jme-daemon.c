/* jme-daemon.c: what every role of the daemon goes through
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "daemon/jme-daemon.h"

#include <glib-unix.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "daemon/jme-log.h"
#include "daemon/jme-systemd.h"
#include "host/jm-host.h"
#include "jme-config.h"
#include "web/jme-static.h"
#include "web/jme-web-server.h"

#define START_S 10

typedef struct
{
  const JmeRole *role;
  char **arguments;
  const JmSettings *settings; /* of the start */
  JmeLog *log;
  gpointer state;   /* the role's */
  JmeRoute *routes; /* the role's, each where the settings have it */
  JmeWebServer *server;
  GMainLoop *loop;
} Daemon;

#define LOCAL_SOCKET "web.local-socket"

/* The role has the preset. */
static const JmSetting listen_address = {
  .name = "web.listen-address",
  .group = "web",
  .kind = JM_SETTING_TEXT,
  .is_list = TRUE,
  .argument = "ADDRESS",
  .help = "Where to listen: HOST:PORT, [IPV6]:PORT, :PORT or unix:/PATH",
};

static const JmSetting web_settings[] = {
  { .name = JME_TELEMETRY_SETTING,
    .group = "web",
    .kind = JM_SETTING_TEXT,
    .argument = "PATH",
    .help = "Page with the metrics",
    .preset = JME_TELEMETRY_PATH },
  { .name = LOCAL_SOCKET,
    .group = "web",
    .kind = JM_SETTING_FILE,
    .argument = "PATH",
    .help = "Socket for hooks and users of this machine, whom the kernel identifies" },
  { .name = "web.systemd-socket",
    .group = "web",
    .kind = JM_SETTING_FLAG,
    .help = "Listen on the sockets that systemd hands over" },
  { .name = "web.config.file",
    .group = "web",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "TLS, passwords and headers in the exporter-toolkit's format" },
};

static const JmSetting config_file = {
  .name = "config.file",
  .group = "config",
  .kind = JM_SETTING_FILE,
  .argument = "FILE",
  .help = "Settings from a key file; options of the command line override it",
};

static const JmSetting once = {
  .name = "once",
  .group = "once",
  .kind = JM_SETTING_FLAG,
  .help = "Print one scrape and exit",
};

static const JmSetting check = {
  .name = "check",
  .group = "once",
  .kind = JM_SETTING_FLAG,
  .help = "Check whether all that is needed can be read, and exit",
};

/* --- what the start needed --- */

/* A part of a program or library that is never written: its pages are those of the
 * file, and come back from there when they are used again. */
static gboolean
is_unwritten (const ElfW (Phdr) * part)
{
  return part->p_type == PT_LOAD && (part->p_flags & PF_W) == 0;
}

/* Whether its code was written to when it was linked, as that of few old libraries. */
static gboolean
has_written_code (const struct dl_phdr_info *object)
{
  for (guint i = 0; i < object->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *part = &object->dlpi_phdr[i];
      const ElfW (Dyn) *entry = (gconstpointer) (object->dlpi_addr + part->p_vaddr);

      if (part->p_type != PT_DYNAMIC)
        continue;
      for (; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_TEXTREL ||
            (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0))
          return TRUE;
    }

  return FALSE;
}

/* The kernel's own part of each program is in no file. */
static gboolean
is_of_kernel (const struct dl_phdr_info *object)
{
  return object->dlpi_addr == getauxval (AT_SYSINFO_EHDR);
}

static int
forget_parts (struct dl_phdr_info *object, size_t size, void *page_size)
{
  guintptr mask = *(const guintptr *) page_size - 1;

  if (is_of_kernel (object) || has_written_code (object))
    return 0;

  for (guint i = 0; i < object->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *part = &object->dlpi_phdr[i];
      guintptr begin = (object->dlpi_addr + part->p_vaddr + mask) & ~mask;
      guintptr end = (object->dlpi_addr + part->p_vaddr + part->p_memsz) & ~mask;

      if (is_unwritten (part) && begin < end)
        madvise ((gpointer) begin, end - begin, MADV_DONTNEED);
    }

  return 0;
}

/* Lets go of code and tables that were needed once: options are read, libraries linked
 * and sources found only at the start. What goes on being used is mapped again. */
void
jme_memory_forget_start (void)
{
  guintptr page_size = (guintptr) sysconf (_SC_PAGESIZE);

  dl_iterate_phdr (forget_parts, &page_size);
}

/* --- health --- */

static void
on_healthy (JmeRequest *request, gpointer user_data)
{
  jme_request_reply_text (request, 200, "jobmetrics-exporter is healthy.\n");
}

static void
on_ready (JmeRequest *request, gpointer user_data)
{
  const Daemon *self = user_data;
  const char *obstacle = self->role->why_not_ready (self->state);

  if (obstacle == NULL)
    jme_request_reply_text (request, 200, "jobmetrics-exporter is ready.\n");
  else
    jme_request_reply_text (request, 503, obstacle);
}

/* They show nothing else, and supervisors have no password. */
static const JmeRoute health_routes[] = {
  { .path = "/-/healthy", .access = JME_ACCESS_OPEN, .handler = on_healthy },
  { .path = "/-/ready", .access = JME_ACCESS_OPEN, .handler = on_ready },
  { NULL },
};

/* --- settings --- */

JmSettings *
jme_daemon_make_settings (const JmeRole *role)
{
  JmSettings *settings = jm_settings_new ();
  JmSetting address = listen_address;

  address.preset = role->listen_address;
  jm_settings_add (settings, &address);
  jm_settings_add_rows (settings, web_settings, G_N_ELEMENTS (web_settings));
  jm_settings_add (settings, &config_file);
  jme_log_add_settings (settings);
  if (role->print_once != NULL)
    jm_settings_add (settings, &once);
  if (role->check != NULL)
    jm_settings_add (settings, &check);
  role->add_settings (settings);

  return settings;
}

static gboolean
refuse_words (char **arguments, GError **error)
{
  if (arguments[0] == NULL || arguments[1] == NULL)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "unexpected argument: %s",
               arguments[1]);

  return FALSE;
}

/* For those who generate manuals and completions. */
static gboolean
list_settings (const char *option, const char *value, gpointer data, GError **error)
{
  char *list = jm_settings_describe (data);

  g_print ("%s", list);
  g_free (list); /* exit () runs no cleanup */
  exit (0);
}

static gboolean
print_version (const char *option, const char *value, gpointer data, GError **error)
{
  g_print ("jobmetrics-exporter " JME_VERSION "\n");
  exit (0);
}

static gboolean
parse_arguments (JmSettings *settings,
                 const JmeRole *role,
                 char **arguments,
                 GError **error)
{
  const GOptionEntry entries[] = {
    { "list-settings", 0, G_OPTION_FLAG_NO_ARG | G_OPTION_FLAG_HIDDEN,
      G_OPTION_ARG_CALLBACK, list_settings, NULL, NULL },
    { "version", 0, G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, print_version,
      "Print the version", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autofree char *program = g_strconcat ("jobmetrics-exporter ", role->name, NULL);
  g_autofree char *summary =
    g_strdup_printf ("It %s. --no-NAME turns off what --NAME turns on.", role->summary);
  g_auto (GStrv) copy = g_strdupv (arguments);
  GOptionGroup *group = g_option_group_new (role->name, NULL, NULL, settings, NULL);

  jm_settings_add_options (settings, group);
  g_option_group_add_entries (group, entries);
  g_option_context_set_main_group (context, group);
  g_option_context_set_summary (context, summary);
  g_set_prgname (program);

  return g_option_context_parse_strv (context, &copy, error) &&
         refuse_words (copy, error);
}

#define PATH_CHARACTERS G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-._~/"

static gboolean
check_telemetry_path (const JmSettings *settings, GError **error)
{
  const char *path = jm_settings_get_text (settings, JME_TELEMETRY_SETTING);

  if (path[0] == '/' && path[strspn (path, PATH_CHARACTERS)] == '\0' &&
      !g_str_has_prefix (path, "/-/"))
    return TRUE;

  return jm_settings_refuse (settings, JME_TELEMETRY_SETTING, path,
                             "not a path such as /metrics, or one of the daemon's own",
                             error);
}

JmSettings *
jme_daemon_parse (const JmeRole *role, char **arguments, GError **error)
{
  g_autoptr (JmSettings) settings = jme_daemon_make_settings (role);
  const char *path;

  if (!parse_arguments (settings, role, arguments, error))
    return NULL;

  path = jm_settings_get_text (settings, config_file.name);
  if (path != NULL && !jm_settings_read_file (settings, path, role->name, error))
    return NULL;

  return jm_settings_check (settings, error) && check_telemetry_path (settings, error)
           ? g_steal_pointer (&settings)
           : NULL;
}

/* --- sockets --- */

static gboolean
adopt_sockets (Daemon *self, GError **error)
{
  g_autoptr (GArray) fds = g_array_new (FALSE, FALSE, sizeof (int));

  if (!jme_systemd_take_sockets (fds, error))
    return FALSE;

  for (guint i = 0; i < fds->len; i++)
    if (!jme_web_server_adopt (self->server, g_array_index (fds, int, i), error))
      return FALSE;

  return TRUE;
}

static gboolean
listen_locally (Daemon *self, const JmSettings *settings, GError **error)
{
  const char *path = jm_settings_get_text (settings, LOCAL_SOCKET);

  return path == NULL || jme_web_server_listen_locally (self->server, path, error);
}

static gboolean
listen (Daemon *self, const JmSettings *settings, GError **error)
{
  const char *const *addresses = jm_settings_get_list (settings, listen_address.name);
  gboolean is_handed_over = jm_settings_get_flag (settings, "web.systemd-socket");

  if (!listen_locally (self, settings, error) ||
      (is_handed_over && !adopt_sockets (self, error)))
    return FALSE;
  if (is_handed_over && !jm_settings_is_given (settings, listen_address.name))
    return TRUE;

  for (const char *const *p = addresses; p != NULL && *p != NULL; p++)
    if (!jme_web_server_listen (self->server, *p, error))
      return FALSE;

  return TRUE;
}

static void
log_addresses (Daemon *self)
{
  g_auto (GStrv) addresses = jme_web_server_list_addresses (self->server);
  const char *path = jm_settings_get_text (self->settings, LOCAL_SOCKET);
  g_autofree char *local = g_strconcat ("unix:", path, NULL);

  for (char **p = addresses; *p != NULL; p++)
    g_message ("listening on %s%s", *p,
               jme_web_server_is_tls (self->server) && !g_str_equal (*p, local)
                 ? " (TLS)"
                 : "");
}

/* --- run --- */

static gboolean
on_signal (gpointer user_data)
{
  Daemon *self = user_data;

  g_message ("asked to end");
  g_main_loop_quit (self->loop);

  return G_SOURCE_CONTINUE;
}

/* --- reading again --- */

static gboolean
is_same (const JmSettings *before, const JmSettings *now, gsize i)
{
  g_autofree char *old_text =
    g_strdup_value_contents (jm_settings_get_value (before, i));
  g_autofree char *new_text = g_strdup_value_contents (jm_settings_get_value (now, i));

  return g_str_equal (old_text, new_text);
}

/* What a running daemon has built upon, by commas. */
static char *
list_changes (const JmSettings *before, const JmSettings *now)
{
  GString *names = g_string_new (NULL);

  for (gsize i = 0; i < jm_settings_get_size (before); i++)
    {
      const JmSetting *setting = jm_settings_get_setting (before, i);

      if (g_strcmp0 (setting->group, "log") != 0 && !is_same (before, now, i))
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "",
                                setting->name);
    }

  return g_string_free (names, FALSE);
}

static void
read_settings_again (Daemon *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSettings) now = jme_daemon_parse (self->role, self->arguments, &error);
  g_autofree char *changes = NULL;

  if (now == NULL)
    {
      g_critical ("%s; the previous settings stay", error->message);
      return;
    }

  jme_log_configure (self->log, now);
  changes = list_changes (self->settings, now);
  if (*changes != '\0')
    g_warning ("changed, but not before a restart: %s", changes);
}

static gboolean
on_hangup (gpointer user_data)
{
  Daemon *self = user_data;

  jme_systemd_notify_reloading ();
  g_message ("asked to read the configuration again");
  read_settings_again (self);
  jme_web_server_reload (self->server);
  jme_systemd_notify ("READY=1");

  return G_SOURCE_CONTINUE;
}

/* By then the first rounds are over. */
static gboolean
on_started (gpointer user_data)
{
  jme_memory_forget_start ();

  return G_SOURCE_REMOVE;
}

static void
run_loop (Daemon *self)
{
  g_autoptr (GSource) watchdog =
    jme_systemd_watchdog_source_new (self->role->get_busy_us, self->state);
  guint term = g_unix_signal_add (SIGTERM, on_signal, self);
  guint interrupt = g_unix_signal_add (SIGINT, on_signal, self);
  guint hangup = g_unix_signal_add (SIGHUP, on_hangup, self);
  g_autoptr (GSource) started = g_timeout_source_new_seconds (START_S);

  self->loop = g_main_loop_new (NULL, FALSE);
  if (watchdog != NULL)
    g_source_attach (watchdog, NULL);
  g_source_set_callback (started, on_started, NULL, NULL);
  g_source_attach (started, NULL);

  log_addresses (self);
  jme_systemd_notify ("READY=1");
  g_main_loop_run (self->loop);
  jme_systemd_notify ("STOPPING=1");

  if (watchdog != NULL)
    g_source_destroy (watchdog);
  g_source_destroy (started);
  g_source_remove (term);
  g_source_remove (interrupt);
  g_source_remove (hangup);
  signal (SIGHUP, SIG_IGN);
  g_clear_pointer (&self->loop, g_main_loop_unref);
}

/* --- routes --- */

static JmeRoute *
place_routes (const JmeRoute *routes, const char *telemetry_path)
{
  gsize n = 0;
  JmeRoute *placed;

  while (routes[n].path != NULL)
    n++;
  placed = g_memdup2 (routes, (n + 1) * sizeof *routes);
  for (gsize i = 0; i < n; i++)
    if (g_str_equal (placed[i].path, JME_TELEMETRY_PATH))
      placed[i].path = telemetry_path;

  return placed;
}

static gboolean
open_state (Daemon *self, const JmSettings *settings, GError **error)
{
  self->state = self->role->open (settings, error);

  return self->state != NULL;
}

/* The server comes first: it wants to be made before there is a thread. It listens when
 * all settings are known to be right. */
static gboolean
serve (Daemon *self, const JmSettings *settings, GError **error)
{
  self->server =
    jme_web_server_new (jm_settings_get_text (settings, "web.config.file"), error);
  if (self->server == NULL || !open_state (self, settings, error) ||
      !listen (self, settings, error))
    return FALSE;
  if (self->role->start != NULL)
    self->role->start (self->state);

  jme_web_server_add_routes (self->server, health_routes, self);
  jme_web_server_add_routes (self->server, jme_static_routes, NULL);
  self->routes = place_routes (self->role->routes,
                               jm_settings_get_text (settings, JME_TELEMETRY_SETTING));
  jme_web_server_add_routes (self->server, self->routes, self->state);
  if (self->role->add_routes != NULL)
    self->role->add_routes (self->state, self->server);
  run_loop (self);
  jme_web_server_stop_listening (self->server);
  jme_web_server_finish_work (self->server);

  return TRUE;
}

/* What it would serve with is read, and nobody is served. */
static int
look (Daemon *self, const JmSettings *settings, GError **error)
{
  self->server =
    jme_web_server_new (jm_settings_get_text (settings, "web.config.file"), error);

  return self->server != NULL && open_state (self, settings, error)
           ? self->role->check (self->state)
           : 1;
}

static int
run (Daemon *self, const JmSettings *settings, GError **error)
{
  gboolean is_once =
    self->role->print_once != NULL && jm_settings_get_flag (settings, once.name);

  if (self->role->check != NULL && jm_settings_get_flag (settings, check.name))
    return look (self, settings, error);
  if (!is_once)
    return serve (self, settings, error) ? 0 : 1;

  return open_state (self, settings, error) ? self->role->print_once (self->state) : 1;
}

static void
daemon_clear (Daemon *self)
{
  if (self->state != NULL)
    self->role->close (self->state);
  if (self->server != NULL)
    jme_web_server_close (self->server);
  g_clear_object (&self->server);
  g_free (self->routes);
}

int
jme_daemon_run (const JmeRole *role, char **arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSettings) settings = jme_daemon_parse (role, arguments, &error);
  Daemon self = { .role = role, .arguments = arguments, .settings = settings };
  int status;

  if (settings == NULL)
    {
      g_printerr ("jobmetrics-exporter: %s\n", error->message);
      return JME_EXIT_USAGE;
    }

  self.log = jme_log_install (G_LOG_LEVEL_INFO, JME_LOG_LOGFMT);
  jme_log_configure (self.log, settings);
  jm_host_raise_open_files_limit ();
  status = run (&self, settings, &error);
  if (error != NULL)
    g_critical ("%s", error->message);
  if (g_error_matches (error, JM_ERROR, JM_ERROR_INVALID))
    status = JME_EXIT_USAGE;
  daemon_clear (&self);

  return status;
}
