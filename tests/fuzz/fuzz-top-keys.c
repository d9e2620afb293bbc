/* fuzz-top-keys.c: any keys in top, on screens of any size
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "../jobmetrics-cli/top/jmc-top-node.h"
#include "base/jm-text-width-private.h"
#include "top/jmc-top-draw.h"

#define N_JOBS 12
#define MAX_WIDTH 160
#define MAX_HEIGHT 40

/* A byte from here on is a key that stands for no character. */
#define FIRST_KEY 0xe0

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
sweep (JmcTopModel *model, gint64 second)
{
  Sweep *sweep = sweep_new ();
  g_autoptr (JmSnapshot) snapshot = NULL;

  for (guint i = 0; i < N_JOBS; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i + 1);

      sweep_add_job (sweep, id, i % 2 == 0 ? "alice" : NULL, "train");
      sweep_add (sweep, JM_METRIC_CPUS, 4);
      sweep_add (sweep, JM_METRIC_CPU_TOTAL, (guint64) second * i * SECOND_NS);
      if (i % 3 == 0)
        sweep_add_step (sweep, "0");
    }
  snapshot = sweep_finish (sweep);
  jmc_top_model_update (model, snapshot, second * G_USEC_PER_SEC);
}

static guint32
to_key (guint8 byte)
{
  return byte < FIRST_KEY ? byte : JMC_TOP_KEY_NONE + (byte - FIRST_KEY);
}

/* No line is wider than the screen. */
static void
draw (JmcTopControl *control, guint width, guint height)
{
  const JmcTopScene scene = { (char *) "node1", NULL };
  g_autoptr (JmcTopFrame) frame = jmc_top_draw_screen (control, &scene, width, height);
  g_autofree char *text = jmc_top_frame_to_text (frame);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    g_assert_cmpuint (jm_text_width_get (*line), <=, width);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();
  g_autoptr (JmcTopControl) control = NULL;
  guint width, height;

  if (size < 2)
    return 0;

  width = 1 + data[0] % MAX_WIDTH;
  height = 1 + data[1] % MAX_HEIGHT;
  sweep (model, 1);
  control = jmc_top_control_new (model, JMC_TOP_DEFAULT_INTERVAL);
  for (gsize i = 2; i < size; i++)
    {
      if (jmc_top_control_press (control, to_key (data[i])) == JMC_TOP_SWEEP)
        sweep (model, (gint64) i);
      g_assert_true (control->interval >= JMC_TOP_MIN_INTERVAL &&
                     control->interval <= JMC_TOP_MAX_INTERVAL);
    }
  draw (control, width, height);

  return 0;
}
