/* jmc-ledger-moment.c: the jobs of this node at a past time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "ledger/jmc-ledger-moment.h"

#include <unistd.h>

#include "base/jm-moment-private.h"
#include "core/jm-format.h"
#include "ledger/jmc-ledger-reader.h"

static const JmSetting file_setting = {
  .name = "ledger.file",
  .group = "ledger",
  .kind = JM_SETTING_FILE,
  .argument = "FILE",
  .help = "With --at: read this ledger, instead of asking the exporter",
};

void
jmc_ledger_moment_clear (JmcLedgerMoment *self)
{
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->socket, g_free);
  g_clear_pointer (&self->node, g_free);
  g_clear_pointer (&self->peer, jmc_ledger_peer_free);
}

/* --- options --- */

/* --at, --ledger.file and --socket. */
void
jmc_ledger_moment_add_entries (JmcLedgerMoment *self,
                               JmcOptions *options,
                               GOptionGroup *group)
{
  const GOptionEntry entries[] = {
    { "at", 0, 0, G_OPTION_ARG_STRING, &self->text,
      "Show the jobs that ran at that time, such as -3h or '2026-11-22 14:00', out of "
      "the node's ledger",
      "TIME" },
    { "socket", 0, 0, G_OPTION_ARG_FILENAME, &self->socket,
      "With --at: where the exporter listens (default " JMC_USUAL_SOCKET ")", "PATH" },
    { NULL },
  };

  jmc_options_add_entries (group, entries);
  jmc_options_add_setting (options, &file_setting, group);
}

/* FALSE, and has reported why, where the options are invalid. */
gboolean
jmc_ledger_moment_parse (JmcLedgerMoment *self, const JmcOptions *options)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GError) error = NULL;

  if (self->text == NULL)
    {
      if (self->socket == NULL && jmc_options_get_text (options, "ledger.file") == NULL)
        return TRUE;
      jmc_output_complain ("--ledger.file and --socket need --at=TIME");
      return FALSE;
    }

  if (!jm_moment_parse (self->text, now, &self->time_us, &error))
    {
      jmc_output_complain ("--at: %s", error->message);
      return FALSE;
    }
  if (self->time_us <= g_get_real_time ())
    return TRUE;

  jmc_output_complain ("--at=%s: this time has not come yet", self->text);

  return FALSE;
}

/* --- reading --- */

static void
on_record (JmJobRecord *record, gpointer records)
{
  g_ptr_array_add (records, jm_job_record_ref (record));
}

/* Reads the jobs that ran at @self's time as a snapshot. */
JmSnapshot *
jmc_ledger_moment_read (JmcLedgerMoment *self,
                        const JmcOptions *options,
                        JmRecordMoment *moment,
                        GError **error)
{
  g_autoptr (GPtrArray) records =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_record_unref);
  g_auto (JmcLedgerQuery)
    query = { .since_us = MAX (self->time_us, 1), .until_us = MAX (self->time_us, 1) };

  if (self->peer == NULL)
    self->peer =
      jmc_ledger_peer_open (options, jmc_options_get_text (options, "ledger.file"),
                            self->socket, error);
  if (self->peer == NULL)
    return NULL;

  query.selection.jobs = jm_job_selection_new ();
  if (!jmc_ledger_reader_read (self->peer, &query, NULL, on_record, records, error))
    return NULL;

  g_clear_pointer (&self->node, g_free);
  if (records->len > 0)
    self->node = g_strdup (jm_job_record_get_node (records->pdata[0]));

  return jm_record_moment_make (records, self->time_us, moment);
}

/* --- words --- */

/* A point has whole seconds. */
static char *
format_width (gint64 width_us)
{
  if (width_us < 60 * G_USEC_PER_SEC)
    return g_strdup_printf ("%ds", (int) (width_us / G_USEC_PER_SEC));

  return jm_format_to_string (JM_FORMAT_DURATION, (double) width_us / G_USEC_PER_SEC);
}

/* Over how long the figures are means, such as `means over 4s to 32s`. */
char *
jmc_ledger_moment_describe_points (const JmRecordMoment *moment)
{
  g_autofree char *least = format_width (moment->least_us);
  g_autofree char *most = format_width (moment->most_us);

  if (moment->most_us == 0)
    return g_strdup ("no figures of that time");
  if (moment->least_us == moment->most_us)
    return g_strdup_printf ("means over %s", least);

  return g_strdup_printf ("means over %s to %s", least, most);
}

/* An exporter keeps to itself what is not this user's. */
const char *
jmc_ledger_moment_describe_emptiness (const JmcOptions *options)
{
  return jmc_options_get_text (options, "ledger.file") == NULL && geteuid () != 0
           ? "no job of this user ran on this node then"
           : "no job ran on this node then";
}
