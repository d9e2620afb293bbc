/* jmc-gpus.c: jobmetrics-cli gpus: the accelerators of a node, and whose they are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <unistd.h>

#include "base/jm-safe-text-private.h"
#include "core/jm-derived.h"
#include "gpus/jmc-gpu-table.h"
#include "jmc-json.h"
#include "jmc-options.h"
#include "jmc-snapshot.h"
#include "jmc-watch.h"

/* Processes show who uses a device without having been given it. */
#define COLLECTORS JM_COLLECTOR_SET (JM_COLLECTOR_GPU, JM_COLLECTOR_PROCESS)

typedef struct
{
  JmcOptions options;
  JmcWatch watch;
  gboolean is_any_there;
} Gpus;

static void
gpus_clear (Gpus *self)
{
  jmc_options_clear (&self->options);
  jmc_watch_clear (&self->watch);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Gpus, gpus_clear)

/* --- options --- */

static gboolean
parse (Gpus *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_auto (GStrv) arguments = jmc_watch_copy_arguments (argc, argv);
  GOptionGroup *group =
    jmc_options_make_group (&self->options, "output", "host", "jobs", "gpus", NULL);

  jmc_watch_add_entries (&self->watch, group);
  g_option_context_set_summary (context, "Shows the accelerators of this node, their "
                                         "use, and their jobs. The exit status\n"
                                         "is 1 if there is none.");
  g_option_context_set_main_group (context, group);
  if (!jmc_options_parse_strv (&self->options, context, &arguments))
    return FALSE;

  if (arguments[1] != NULL)
    {
      jmc_output_complain ("%s: gpus takes no arguments", arguments[1]);
      return FALSE;
    }
  self->watch.is_stream = self->options.json;

  return jmc_options_check (&self->options) && jmc_watch_parse (&self->watch);
}

/* --- output --- */

static gboolean
has_state (JmSnapshot *snapshot, JmGpuState state)
{
  g_autoptr (GArray) gpus = jm_derived_list_gpu_tree (snapshot);

  for (guint i = 0; i < gpus->len; i++)
    if (jm_derived_get_gpu_state (snapshot, g_array_index (gpus, guint, i)) == state)
      return TRUE;

  return FALSE;
}

/* The words that say more than they seem to. */
static void
append_legend (JmSnapshot *snapshot, GString *text)
{
  static const JmGpuState states[] = { JM_GPU_STATE_IDLE, JM_GPU_STATE_GIVEN,
                                       JM_GPU_STATE_TAKEN, JM_GPU_STATE_LOST };
  const char *separator = "\n";

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    if (has_state (snapshot, states[i]))
      {
        g_string_append_printf (text, "%s%s: %s\n", separator,
                                jm_gpu_state_get_name (states[i]),
                                jm_gpu_state_get_help (states[i]));
        separator = "";
      }
}

static void
append_table (Gpus *self, JmSnapshot *snapshot, GString *text)
{
  g_autoptr (GArray) gpus = jm_derived_list_gpu_tree (snapshot);
  g_autofree char *lines = NULL;

  if (!self->is_any_there)
    return;

  lines =
    jmc_gpu_table_render (snapshot, JM_SUBJECT_KIND_GPU, gpus, 0,
                          jmc_output_get_width (STDOUT_FILENO),
                          jmc_output_has_color (self->options.color, STDOUT_FILENO));
  g_string_append (text, lines);
  append_legend (snapshot, text);
}

/* Why there is nothing, or less than there is; NULL where all is well. */
static char *
describe_loss (Gpus *self, JmSnapshot *snapshot)
{
  char *error = jmc_snapshot_describe_error (snapshot, JM_COLLECTOR_GPU);

  if (error == NULL && !self->is_any_there)
    return g_strdup ("no accelerator of this node is known (doctor says what is "
                     "looked for)");

  return error;
}

static gboolean
draw (JmSnapshot *snapshot, gboolean is_page, GString *text, gpointer data)
{
  Gpus *self = data;
  g_autoptr (GArray) gpus = jm_snapshot_list_gpus (snapshot, JM_NODE_SUBJECT);
  g_autofree char *loss = NULL;
  g_autofree char *safe = NULL;

  self->is_any_there = gpus->len > 0;
  if (self->options.json)
    jmc_json_append_gpus (text, snapshot, self->watch.text == NULL);
  else
    append_table (self, snapshot, text);

  loss = is_page ? describe_loss (self, snapshot) : NULL;
  safe = loss != NULL ? jm_safe_text_make (loss) : NULL;
  if (safe != NULL)
    g_string_append_printf (text, "\n%s\n", safe);

  return TRUE;
}

static void
complain (JmSnapshot *snapshot, gpointer data)
{
  g_autofree char *loss = describe_loss (data, snapshot);

  if (loss != NULL)
    jmc_output_complain ("%s", loss);
}

int
jmc_gpus_main (int argc, char **argv)
{
  g_auto (Gpus) self = { .options.metering.meters = JMC_METERS_NONE };
  const JmcView view = { draw, complain, &self };
  int status;

  if (!parse (&self, argc, argv))
    return JMC_EXIT_USAGE;

  status =
    jmc_watch_run (&self.watch, &self.options, JM_SUBJECT_KIND_JOB, COLLECTORS, &view);

  return status == JMC_EXIT_OK && !self.is_any_there ? JMC_EXIT_FAILURE : status;
}
