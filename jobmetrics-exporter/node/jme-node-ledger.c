/* jme-node-ledger.c: the ledger that a node's exporter keeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node-ledger.h"

#include <string.h>
#include <unistd.h>

#include "core/jm-quantity.h"
#include "daemon/jme-figures.h"
#include "daemon/jme-systemd.h"
#include "node/jm-node-private.h"
#include "node/ledger/jm-ledger-private.h"

/* A disk that hangs does not keep the daemon from its end. */

/* What the service manager calls the checkpoint. */
#define STORED "jobmetrics-checkpoint"

/* The unit's directory in memory, see systemd.exec(5), and how much of it is used. */
#define MAKESHIFT_VARIABLE "RUNTIME_DIRECTORY"
#define MAX_MAKESHIFT_BYTES (64 * 1024 * 1024)

#define MAX_AGE "ledger.max-age"
#define MAX_SIZE "ledger.max-size"
#define WHEN_FULL "ledger.when-full"

static const char *const choices[] = { "drop-oldest", "drop-newest", NULL };
#define DROP_NEWEST 1

static const JmSetting settings_of_ledger[] = {
  { .name = JME_LEDGER_FILE,
    .group = "ledger",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "File with the record of each job, from which a restart continues",
    .preset_help = "no records are kept" },
  { .name = MAX_AGE,
    .group = "ledger",
    .kind = JM_SETTING_COUNT,
    .argument = "SECONDS",
    .help = "For how long records are kept after the job's end; 0 for good",
    .preset = "31536000",
    .low = 0,
    .high = G_MAXUINT },
  { .name = MAX_SIZE,
    .group = "ledger",
    .kind = JM_SETTING_COUNT,
    .argument = "BYTES",
    .help = "Largest size of the ledger; 0 for no limit",
    .preset = "1073741824",
    .low = 0,
    .high = G_MAXUINT },
  { .name = WHEN_FULL,
    .group = "ledger",
    .kind = JM_SETTING_CHOICE,
    .argument = "WHAT",
    .help = "Records to drop where the ledger is full",
    .preset = "drop-oldest",
    .choices = choices },
};

void
jme_node_ledger_add_settings (JmSettings *settings)
{
  jm_settings_add_rows (settings, settings_of_ledger,
                        G_N_ELEMENTS (settings_of_ledger));
}

void
jme_node_ledger_init (JmeNodeLedger *self)
{
  self->stored_fd = jme_systemd_take_stored (STORED);
}

/* --- memory that outlives this process --- */

/* NULL where the service manager kept none, or none that can be used. */
static JmCheckpointMemory *
open_stored (JmeNodeLedger *self, const char *node_name)
{
  g_autoptr (GError) error = NULL;
  JmCheckpointMemory *memory = NULL;
  int fd = self->stored_fd;

  self->stored_fd = -1;
  if (fd < 0)
    return NULL;

  memory = jm_checkpoint_memory_open (fd, node_name, &error);
  if (memory == NULL)
    {
      g_warning ("the checkpoint that the service manager kept is begun anew: %s",
                 error->message);
      jme_systemd_remove_stored (STORED);
    }

  return memory;
}

static gboolean
hand_over (JmCheckpointMemory *memory, GError **error)
{
  int fd = jm_checkpoint_memory_share (memory, error);
  gboolean is_sent = fd >= 0 && jme_systemd_store (fd, STORED, error);

  if (fd >= 0)
    close (fd);

  return is_sent;
}

/* NULL where there is nobody to keep it. */
static JmCheckpointMemory *
open_memory (JmeNodeLedger *self, JmNode *node)
{
  g_autofree char *given_name = NULL;
  const char *node_name = g_get_host_name ();
  g_autoptr (JmCheckpointMemory) memory = NULL;
  g_autoptr (GError) error = NULL;

  g_object_get (node, "node-name", &given_name, NULL);
  if (given_name != NULL)
    node_name = given_name;
  memory = open_stored (self, node_name);
  if (memory != NULL || g_getenv ("NOTIFY_SOCKET") == NULL)
    return g_steal_pointer (&memory);

  memory = jm_checkpoint_memory_new (node_name, &error);
  if (memory != NULL && hand_over (memory, &error))
    return g_steal_pointer (&memory);

  g_warning ("no checkpoint outlives a kill on a slow disk: %s", error->message);

  return NULL;
}

/* NULL where there is no such place. */
static char *
make_makeshift_path (void)
{
  const char *directories = g_getenv (MAKESHIFT_VARIABLE);
  g_autofree char *first = NULL;

  if (directories == NULL)
    return NULL;

  first = g_strndup (directories, strcspn (directories, ":"));

  return g_build_filename (first, "ledger.db", NULL);
}

/* A disk that is full or read-only when the program begins costs what it keeps, and no
 * record that somebody collects meanwhile. */
static void
open_makeshift (JmeNodeLedger *self, const JmLedgerPlan *wanted)
{
  g_autofree char *path = make_makeshift_path ();
  JmLedgerPlan plan = *wanted;

  if (path == NULL)
    return;

  plan.path = path;
  plan.is_makeshift = TRUE;
  if (plan.max_bytes == 0 || plan.max_bytes > MAX_MAKESHIFT_BYTES)
    plan.max_bytes = MAX_MAKESHIFT_BYTES;
  self->ledger = jm_ledger_open_for_writing (&plan, NULL);
  if (self->ledger == NULL)
    return;

  g_warning ("%s: records of jobs are kept in %s, until the exporter ends",
             self->error->message, path);
  g_free (self->path);
  self->path = g_steal_pointer (&path);
}

void
jme_node_ledger_open (JmeNodeLedger *self, JmNode *node, const JmSettings *settings)
{
  const JmLedgerPlan plan = {
    .path = jm_settings_get_text (settings, JME_LEDGER_FILE),
    .max_age_us = (gint64) jm_settings_get_number (settings, MAX_AGE) * G_USEC_PER_SEC,
    .max_bytes = jm_settings_get_number (settings, MAX_SIZE),
    .keeps_oldest = jm_settings_get_number (settings, WHEN_FULL) == DROP_NEWEST,
  };

  self->path = g_strdup (plan.path);
  if (plan.path == NULL)
    return;

  self->tried_us = g_get_real_time ();
  self->ledger = jm_ledger_open_for_writing (&plan, &self->error);
  if (self->ledger == NULL)
    open_makeshift (self, &plan);
  if (self->ledger == NULL)
    g_warning ("no records of jobs are kept: %s", self->error->message);
  else
    jm_node_set_ledger_and_memory (node, self->ledger, open_memory (self, node));
}

static gboolean
get_up (gconstpointer part, guint64 *value)
{
  *value = 0;

  return TRUE;
}

void
jme_node_ledger_append_lack (JmMetricSelection *selection,
                             JmTextWriter *writer,
                             gpointer user_data)
{
  const JmQuantity *up = jm_quantity_of_subject (JM_SUBJECT_KIND_LEDGER, "up");
  const JmeFigure figure = { JM_FAMILY_KIND_GAUGE, "jobmetrics_ledger_up",
                             jm_quantity_get_metric_info (up)->help, 0, get_up };

  jme_figures_append (&figure, 1, NULL, selection, writer);
}

void
jme_node_ledger_close (JmeNodeLedger *self, gint64 timeout_us)
{
  if (self->ledger != NULL)
    jm_ledger_close_within (self->ledger, timeout_us);
  g_clear_object (&self->ledger);
  g_clear_error (&self->error);
  g_clear_pointer (&self->path, g_free);
  if (self->stored_fd >= 0)
    close (self->stored_fd);
}
