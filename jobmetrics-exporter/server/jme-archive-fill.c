/* jme-archive-fill.c: fills the archive from a time series database
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-archive-fill.h"

#include "archive/tsdb/jm-tsdb-fill-private.h"
#include "base/jm-error.h"

#define URI "server.tsdb"
#define LOGIN_FILE "server.tsdb-login-file"
#define CA_FILE "server.tsdb-ca-file"
#define DELAY "server.tsdb-delay"

struct _JmeAccountsFill
{
  const JmSettings *settings;
  GMutex lock;      /* of the figures */
  JmTsdbFill *fill; /* the thread's; NULL while it has not begun */
  guint64 n_filled, n_lacking, n_failed, n_failures;
};

static const JmSetting rows[] = {
  { .name = URI,
    .group = "server",
    .kind = JM_SETTING_TEXT,
    .argument = "URL",
    .help = "A Prometheus-compatible server that is queried for usage that no ledger "
            "reported: the URL before /api/v1/query",
    .preset_help = "none" },
  { .name = LOGIN_FILE,
    .group = "server",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "File with the lines username=NAME and password=TEXT for "
            "--server.tsdb" },
  { .name = CA_FILE,
    .group = "server",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "CA certificates that its certificate is verified against",
    .preset_help = "the system's" },
  { .name = DELAY,
    .group = "server",
    .kind = JM_SETTING_COUNT,
    .argument = "SECONDS",
    .help = "How long after the end of a run it is queried, when the last scrape and "
            "the ledgers' records have arrived",
    .preset = "600",
    .low = 0,
    .high = 86400 },
};

void
jme_archive_fill_add_settings (JmSettings *settings)
{
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

const char *
jme_archive_fill_get_name (const JmeArchiveFill *self)
{
  return jm_settings_get_text (self->settings, URI) != NULL ? URI : NULL;
}

/* --- filling --- */

JmTsdb *
jme_archive_fill_make_tsdb (const JmSettings *settings, GError **error)
{
  const char *uri = jm_settings_get_text (settings, URI);
  g_autoptr (JmTsdb) tsdb = NULL;

  if (uri == NULL)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT,
                           "no time series database is named");
      return NULL;
    }
  tsdb = jm_tsdb_new (uri, error);
  if (tsdb == NULL ||
      !jm_tsdb_set_login_file (tsdb, jm_settings_get_text (settings, LOGIN_FILE),
                               error))
    return NULL;
  jm_tsdb_set_ca_file (tsdb, jm_settings_get_text (settings, CA_FILE));

  return g_steal_pointer (&tsdb);
}

static gboolean
open_fill (JmeArchiveFill *self, JmArchiveDatabase *store, GError **error)
{
  g_autoptr (JmTsdb) tsdb = NULL;
  JmTsdbFill *fill;

  if (self->fill != NULL)
    return TRUE;
  tsdb = jme_archive_fill_make_tsdb (self->settings, error);
  if (tsdb == NULL)
    return FALSE;
  fill = jm_tsdb_fill_new (store, tsdb);
  jm_tsdb_fill_set_delay (fill, jm_settings_get_number (self->settings, DELAY));
  self->fill = fill;

  return TRUE;
}

static void
take_counts (JmeArchiveFill *self, gboolean has_failed)
{
  g_mutex_lock (&self->lock);
  self->n_failures += has_failed ? 1 : 0;
  if (self->fill != NULL)
    {
      self->n_filled = jm_tsdb_fill_get_n_filled (self->fill);
      self->n_lacking = jm_tsdb_fill_get_n_lacking (self->fill);
      self->n_failed = jm_tsdb_fill_get_n_failed (self->fill);
    }
  g_mutex_unlock (&self->lock);
}

gboolean
jme_archive_fill_run (JmeArchiveFill *self,
                      JmArchiveDatabase *store,
                      GCancellable *cancellable,
                      GError **error)
{
  gboolean is_well = open_fill (self, store, error) &&
                     jm_tsdb_fill_run_round (self->fill, cancellable, error);

  take_counts (self, !is_well && !g_cancellable_is_cancelled (cancellable));

  return is_well;
}

/* --- figures --- */

static gboolean
get (const JmeArchiveFill *self, guint64 count, guint64 *value)
{
  *value = count;

  return jme_archive_fill_get_name (self) != NULL;
}

static gboolean
get_filled (gconstpointer part, guint64 *value)
{
  return get (part, ((const JmeArchiveFill *) part)->n_filled, value);
}

static gboolean
get_lacking (gconstpointer part, guint64 *value)
{
  return get (part, ((const JmeArchiveFill *) part)->n_lacking, value);
}

static gboolean
get_failed (gconstpointer part, guint64 *value)
{
  return get (part, ((const JmeArchiveFill *) part)->n_failed, value);
}

static gboolean
get_failures (gconstpointer part, guint64 *value)
{
  return get (part, ((const JmeArchiveFill *) part)->n_failures, value);
}

static const JmeFigure figures[] = {
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_server_tsdb_filled_runs_total",
    "Runs whose usage came from the time series database, as no ledger reported it.", 0,
    get_filled },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_server_tsdb_lacking_runs_total",
    "Runs of which the time series database did not know a whole figure.", 0,
    get_lacking },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_server_tsdb_failed_runs_total",
    "Runs that were given up: the time series database answers all but these.", 0,
    get_failed },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_server_tsdb_failures_total",
    "Failed queries of the time series database.", 0, get_failures },
};

void
jme_archive_fill_append_figures (JmeArchiveFill *self,
                                 JmMetricSelection *selection,
                                 JmTextWriter *writer)
{
  g_mutex_lock (&self->lock);
  jme_figures_append (figures, G_N_ELEMENTS (figures), self, selection, writer);
  g_mutex_unlock (&self->lock);
}

gboolean
jme_archive_fill_match_figures (const char *pattern)
{
  return jme_figures_match (figures, G_N_ELEMENTS (figures), pattern);
}

/* --- begin and end --- */

/* Invalid settings are refused at once. */
static gboolean
check_uri (const JmSettings *settings, GError **error)
{
  const char *uri = jm_settings_get_text (settings, URI);
  g_autoptr (GError) reason = NULL;
  g_autoptr (JmTsdb) tsdb = uri != NULL ? jm_tsdb_new (uri, &reason) : NULL;

  return uri == NULL || tsdb != NULL ||
         jm_settings_refuse (settings, URI, NULL, reason->message, error);
}

JmeArchiveFill *
jme_archive_fill_new (const JmSettings *settings, GError **error)
{
  JmeArchiveFill *self;

  if (!check_uri (settings, error))
    return NULL;
  self = g_new0 (JmeArchiveFill, 1);
  self->settings = settings;
  g_mutex_init (&self->lock);

  return self;
}

void
jme_archive_fill_free (JmeArchiveFill *self)
{
  g_clear_object (&self->fill);
  g_mutex_clear (&self->lock);
  g_free (self);
}
