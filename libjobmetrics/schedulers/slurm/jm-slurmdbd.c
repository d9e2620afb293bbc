/* jm-slurmdbd.c: the runs of Slurm's accounting, out of slurmdbd's database
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-types-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "host/jm-secret-file-private.h"
#include "schedulers/jm-accounting-private.h"
#include "schedulers/slurm/jm-slurmdbd-parts-private.h"

#define NAME "slurmdbd"
#define DEFAULT_DATABASE "jobmetrics_slurm"
#define DEFAULT_USER "jobmetrics"
#define DEFAULT_PORT 3306
/* Of SHOW COLUMNS. */
#define DESCRIPTION_COLUMNS 6
#define PAGE_JOBS 1000

G_STATIC_ASSERT (PAGE_JOBS <= JM_HISTORY_BATCH_RUNS);

/*
 * JmSlurmdbd:
 *
 * The runs that Slurm's accounting knows, and who coordinates which account and
 * administrates the cluster, as views of slurmdbd's database have them. A record is
 * read when it has changed; each reading begins before the end of the one before, as
 * what a step used may come after its job. Jobs that wait are no runs yet.
 *
 * - Errors: `INVALID` where there is no name of a cluster.
 *
 * Since: 0.1
 */
struct _JmSlurmdbd
{
  JmAccounting parent;
  char *hostname;
  guint port;
  char *socket;
  char *database;
  char *user;
  char *password_file;
  char *ca_file;
};

static void history_iface_init (JmHistoryInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmSlurmdbd,
                               jm_slurmdbd,
                               JM_TYPE_ACCOUNTING,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_HISTORY,
                                                      history_iface_init))

static JmSlurmdbdClient *
connect_to_database (JmSlurmdbd *self, GError **error)
{
  g_autofree char *password = NULL;
  JmSlurmdbdAddress address = { .host = self->hostname,
                                .port = self->port,
                                .socket = self->socket,
                                .database = self->database,
                                .user = self->user,
                                .ca_file = self->ca_file,
                                .timeout = self->parent.timeout };

  if (self->password_file != NULL)
    {
      password = jm_secret_file_read_token (jm_source_get_host (JM_SOURCE (self)),
                                            self->password_file, error);
      if (password == NULL)
        return NULL;
      address.password = password;
    }

  return jm_slurmdbd_client_new (&address, error);
}

/* --- who may see what --- */

typedef struct
{
  JmSlurmdbd *self;
  JmRunBatch *batch;
  GStrvBuilder *users;
  char *account; /* whose @users are being read; NULL before the first */
} Roles;

static void
end_account (Roles *roles)
{
  g_auto (GStrv) users = g_strv_builder_end (roles->users);

  if (roles->account != NULL)
    jm_run_batch_set_coordinators (roles->batch, roles->self->parent.cluster,
                                   roles->account, (const char *const *) users);
  g_clear_pointer (&roles->account, g_free);
}

/* An account without any coordinators has lost those that it had. */
static void
on_coordinator (const char *const *columns, gpointer data)
{
  Roles *roles = data;

  if (columns[0] == NULL)
    return;
  if (g_strcmp0 (roles->account, columns[0]) != 0)
    {
      end_account (roles);
      roles->account = g_strdup (columns[0]);
    }
  if (columns[1] != NULL)
    g_strv_builder_add (roles->users, columns[1]);
}

static void
on_administrator (const char *const *columns, gpointer data)
{
  Roles *roles = data;

  if (columns[0] != NULL)
    g_strv_builder_add (roles->users, columns[0]);
}

static gboolean
read_roles (JmSlurmdbd *self,
            JmSlurmdbdClient *client,
            JmHistoryTake take,
            gpointer user_data,
            GError **error)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (GStrvBuilder) coordinators = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) administrators = g_strv_builder_new ();
  Roles roles = { self, batch, coordinators, NULL };
  g_auto (GStrv) names = NULL;
  gboolean is_read = jm_slurmdbd_client_ask (client,
                                             "SELECT account, user FROM coordinators "
                                             "ORDER BY account, user",
                                             2, on_coordinator, &roles, error);

  end_account (&roles);
  roles.users = administrators;
  if (!is_read ||
      !jm_slurmdbd_client_ask (client, "SELECT name FROM administrators ORDER BY name",
                               1, on_administrator, &roles, error))
    return FALSE;

  names = g_strv_builder_end (administrators);
  jm_run_batch_set_administrators (batch, self->parent.cluster,
                                   (const char *const *) names);

  return take (batch, user_data, error);
}

/* --- names and time --- */

static void
on_tres (const char *const *columns, gpointer data)
{
  guint64 id;

  if (columns[0] == NULL || columns[1] == NULL ||
      !g_ascii_string_to_unsigned (columns[0], 10, 0, G_MAXINT64, &id, NULL))
    return;

  g_hash_table_insert (data, g_memdup2 (&id, sizeof id),
                       g_strconcat (columns[1],
                                    columns[2] != NULL && columns[2][0] != '\0' ? "/"
                                                                                : "",
                                    columns[2], NULL));
}

static void
on_time (const char *const *columns, gpointer data)
{
  guint64 *now = data;

  if (columns[0] != NULL)
    g_ascii_string_to_unsigned (columns[0], 10, 1, G_MAXUINT32, now, NULL);
}

/* --- a page --- */

/* Behind which record the next page begins. */
typedef struct
{
  gint64 time;
  guint64 index;
} Place;

/* How a reading goes on. */
typedef struct
{
  JmSlurmdbd *self;
  JmSlurmdbdClient *client;
  GHashTable *tres;
  gint64 now;         /* of the server */
  gboolean has_sluid; /* the view of jobs */
  Place place;
} Reading;

static char *
quote_cluster (JmSlurmdbd *self)
{
  g_auto (GStrv) parts = g_strsplit (self->parent.cluster, "`", -1);

  return g_strjoinv ("``", parts);
}

static void
on_column (const char *const *columns, gpointer data)
{
  *(gboolean *) data = TRUE;
}

/* Releases before 26.05 have none, and neither have views that were made then. */
static gboolean
find_sluid (Reading *reading, GError **error)
{
  g_autofree char *cluster = quote_cluster (reading->self);
  g_autofree char *question =
    g_strdup_printf ("SHOW COLUMNS FROM `%s_jobs` LIKE 'sluid'", cluster);

  return jm_slurmdbd_client_ask (reading->client, question, DESCRIPTION_COLUMNS,
                                 on_column, &reading->has_sluid, error);
}

static char *
make_question (const Reading *reading)
{
  g_autofree char *columns = jm_slurmdbd_make_columns (reading->has_sluid);
  g_autofree char *cluster = quote_cluster (reading->self);

  return g_strdup_printf (
    "SELECT %s FROM (SELECT * FROM `%s_jobs` WHERE (mod_time > %" G_GINT64_FORMAT
    " OR (mod_time = %" G_GINT64_FORMAT " AND job_db_inx > %" G_GUINT64_FORMAT
    ")) AND mod_time <= %" G_GINT64_FORMAT
    " ORDER BY mod_time, job_db_inx LIMIT %d) AS j"
    " LEFT JOIN `%s_steps` AS s ON s.job_db_inx = j.job_db_inx"
    " ORDER BY j.mod_time, j.job_db_inx, s.id_step, s.step_het_comp",
    columns, cluster, reading->place.time, reading->place.time, reading->place.index,
    reading->now, PAGE_JOBS, cluster);
}

static GPtrArray *
read_page (Reading *reading, guint *n_jobs, GError **error)
{
  g_autofree char *question = make_question (reading);
  g_autoptr (JmSacctRows) rows =
    jm_sacct_rows_new (reading->self->parent.cluster, "\x1f", reading->now,
                       JM_HISTORY_BATCH_RUNS);
  g_autoptr (JmSlurmdbdRows) records =
    jm_slurmdbd_rows_new (rows, reading->tres, reading->now);
  GPtrArray *batches;

  jm_sacct_rows_set_name (rows, NAME);
  if (!jm_slurmdbd_client_ask (reading->client, question, jm_slurmdbd_count_columns (),
                               jm_slurmdbd_rows_take, records, error))
    return NULL;
  jm_slurmdbd_rows_finish (records);
  batches = jm_sacct_rows_finish (rows, error);
  if (batches != NULL)
    jm_accounting_pass_over (&reading->self->parent, batches,
                             jm_sacct_rows_get_n_bad (rows),
                             jm_sacct_rows_get_complaint (rows));

  *n_jobs = jm_slurmdbd_rows_get_n_jobs (records);
  if (*n_jobs > 0)
    reading->place = (Place){ jm_slurmdbd_rows_get_last_time (records),
                              jm_slurmdbd_rows_get_last_index (records) };

  return batches;
}

/* Nothing comes in before what has stood there for so long: from `TIME/INDEX` on it is
 * read on, from `TIME` alone what changed shortly before is read again. */
static char *
make_position (const Reading *reading)
{
  const Place *place = &reading->place;

  if (place->time < reading->now - (gint64) reading->self->parent.overlap)
    return g_strdup_printf ("%" G_GINT64_FORMAT "/%" G_GUINT64_FORMAT, place->time,
                            place->index);

  return g_strdup_printf ("%" G_GINT64_FORMAT, place->time);
}

static gboolean
read_pages (Reading *reading,
            JmHistoryTake take,
            gpointer user_data,
            GCancellable *cancellable,
            GError **error)
{
  guint n_jobs;

  do
    {
      g_autoptr (GPtrArray) batches = NULL;
      g_autofree char *position = NULL;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      batches = read_page (reading, &n_jobs, error);
      position = make_position (reading);
      if (batches == NULL ||
          (n_jobs > 0 && !jm_accounting_hand_on (&reading->self->parent, batches,
                                                 position, take, user_data, error)))
        return FALSE;
    }
  while (n_jobs == PAGE_JOBS);

  return TRUE;
}

/* --- a reading --- */

static gboolean
find_place (JmAccounting *accounting,
            const char *position,
            Place *place,
            GError **error)
{
  const char *slash = position != NULL ? strchr (position, '/') : NULL;
  g_autofree char *time =
    slash != NULL ? g_strndup (position, (gsize) (slash - position)) : NULL;

  if (slash == NULL)
    return jm_accounting_find_begin (accounting, position, accounting->overlap,
                                     &place->time, error);
  if (!g_ascii_string_to_unsigned (slash + 1, 10, 0, G_MAXUINT64, &place->index, NULL))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: not a position: %s",
                   accounting->position_name, position);
      return FALSE;
    }

  return jm_accounting_find_begin (accounting, time, 0, &place->time, error);
}

static gboolean
jm_slurmdbd_read (JmHistory *history,
                  const char *position,
                  JmHistoryTake take,
                  gpointer user_data,
                  GCancellable *cancellable,
                  GError **error)
{
  JmSlurmdbd *self = JM_SLURMDBD (history);
  g_autoptr (GHashTable) tres =
    g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_autoptr (JmSlurmdbdClient) client = NULL;
  Reading reading = { .self = self, .tres = tres };
  guint64 now = (guint64) (g_get_real_time () / G_USEC_PER_SEC);

  if (!find_place (&self->parent, position, &reading.place, error))
    return FALSE;

  client = connect_to_database (self, error);
  if (client == NULL ||
      !jm_slurmdbd_client_ask (client, "SELECT UNIX_TIMESTAMP()", 1, on_time, &now,
                               error) ||
      !jm_slurmdbd_client_ask (client, "SELECT id, type, name FROM tres", 3, on_tres,
                               tres, error) ||
      !read_roles (self, client, take, user_data, error))
    return FALSE;
  reading.client = client;
  reading.now = (gint64) now;

  if (!find_sluid (&reading, error))
    return FALSE;

  return read_pages (&reading, take, user_data, cancellable, error);
}

/* By what has changed, not by windows. */
static void
history_iface_init (JmHistoryInterface *iface)
{
  iface->read = jm_slurmdbd_read;
}

/* --- the source --- */

static gboolean
is_this_machine (JmSlurmdbd *self)
{
  return self->socket != NULL || g_str_equal (self->hostname, "localhost") ||
         g_str_equal (self->hostname, "127.0.0.1") ||
         g_str_equal (self->hostname, "::1");
}

/* Nobody is asked before the first reading. */
static gboolean
jm_slurmdbd_open (JmSource *source, GError **error)
{
  JmSlurmdbd *self = JM_SLURMDBD (source);

  if (self->parent.cluster == NULL || *self->parent.cluster == '\0')
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           NAME ": cluster=NAME has to say of which cluster");
      return FALSE;
    }
  if (!is_this_machine (self) && self->ca_file == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   NAME ": hostname: another machine needs a ca-file: %s",
                   self->hostname);
      return FALSE;
    }
  jm_accounting_set_name (&self->parent, NAME, NULL);

  return TRUE;
}

static void
jm_slurmdbd_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  if (JM_SLURMDBD (source)->password_file != NULL)
    jm_secret_file_advise (error, advice);
}

static void
install_properties (GObjectClass *object_class)
{

  /*
   * JmSlurmdbd:hostname:
   *
   * Where the database is; another machine needs #JmSlurmdbd:ca-file.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "hostname",
                            G_STRUCT_OFFSET (JmSlurmdbd, hostname), "localhost");

  /*
   * JmSlurmdbd:port:
   *
   * Its port.
   *
   * Since: 0.1
   */
  jm_source_class_add_uint (object_class, "port", G_STRUCT_OFFSET (JmSlurmdbd, port), 1,
                            G_MAXUINT16, DEFAULT_PORT);

  /*
   * JmSlurmdbd:socket:
   *
   * Path of the socket of this machine that it listens at, instead of a port.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "socket",
                            G_STRUCT_OFFSET (JmSlurmdbd, socket), NULL);

  /*
   * JmSlurmdbd:database:
   *
   * Where the views are.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "database",
                            G_STRUCT_OFFSET (JmSlurmdbd, database), DEFAULT_DATABASE);

  /*
   * JmSlurmdbd:user:
   *
   * Who asks.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "user", G_STRUCT_OFFSET (JmSlurmdbd, user),
                            DEFAULT_USER);

  /*
   * JmSlurmdbd:password-file:
   *
   * A file with one line, the password, that nobody else may read. It is read anew
   * for each reading.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "password-file",
                            G_STRUCT_OFFSET (JmSlurmdbd, password_file), NULL);

  /*
   * JmSlurmdbd:ca-file:
   *
   * Certificates of authorities to trust; with it, TLS is a must.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "ca-file",
                            G_STRUCT_OFFSET (JmSlurmdbd, ca_file), NULL);
}

static void
jm_slurmdbd_class_init (JmSlurmdbdClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  JmSourceClass *source_class = JM_SOURCE_CLASS (klass);

  source_class->open = jm_slurmdbd_open;
  source_class->advise = jm_slurmdbd_advise;

  install_properties (object_class);
}

static void
jm_slurmdbd_init (JmSlurmdbd *self)
{
}
