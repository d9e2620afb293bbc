/* test-jmc-top-draw.c: what top shows, without a terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-text-width-private.h"
#include "jmc-top-node.h"
#include "top/jmc-top-draw.h"

static void
add_train (Sweep *sweep, guint64 cpu_ns)
{
  sweep_add_job (sweep, "7", "alice", "train");
  sweep_add (sweep, JM_METRIC_CPUS, 4);
  sweep_add (sweep, JM_METRIC_CPU_TOTAL, cpu_ns);
  sweep_add (sweep, JM_METRIC_MEMORY_USED, 950 * MIB);
  sweep_add (sweep, JM_METRIC_MEMORY_PEAK, 960 * MIB);
  sweep_add (sweep, JM_METRIC_MEMORY_LIMIT, 1000 * MIB);
  sweep_add (sweep, JM_METRIC_PROCESSES, 3);
  sweep_add_labelled (sweep, JM_METRIC_THREADS, "running", 4);
  sweep_add_step (sweep, "0");
  sweep_add (sweep, JM_METRIC_CPU_TOTAL, cpu_ns);
  sweep_add_labelled (sweep, JM_METRIC_EXECUTABLE_CPU, "/usr/bin/train", cpu_ns);
}

static void
update (JmcTopModel *model, Sweep *sweep, gint64 seconds)
{
  g_autoptr (JmSnapshot) snapshot = sweep_finish (sweep);

  jmc_top_model_update (model, snapshot, seconds * G_USEC_PER_SEC);
}

/* A job that works, one that idles, and one that ended. */
static JmcTopModel *
make_model (void)
{
  JmcTopModel *model = jmc_top_model_new ();

  for (guint i = 0; i < 2; i++)
    {
      Sweep *sweep = sweep_new ();

      sweep_add (sweep, JM_METRIC_NODE_CPUS, 8);
      sweep_add_labelled (sweep, JM_METRIC_NODE_CPU, "user", i * 4 * SECOND_NS);
      sweep_add_labelled (sweep, JM_METRIC_NODE_CPU, "idle", i * 12 * SECOND_NS);
      sweep_add (sweep, JM_METRIC_NODE_MEMORY_SIZE, 4096 * MIB);
      sweep_add (sweep, JM_METRIC_NODE_MEMORY_AVAILABLE, 2048 * MIB);
      add_train (sweep, (100 + 4 * i) * SECOND_NS);
      sweep_add_job (sweep, "8", "bob", "nap");
      sweep_add (sweep, JM_METRIC_CPUS, 2);
      sweep_add (sweep, JM_METRIC_CPU_TOTAL, 7200 * SECOND_NS);
      sweep_add_job (sweep, "9", NULL, NULL);
      sweep_end_job (sweep);
      update (model, sweep, 100 + 2 * i);
    }

  return model;
}

static void
test_a_page_shows_everything (void)
{
  g_autoptr (JmcTopModel) model = make_model ();
  g_autofree char *text = NULL;

  jmc_top_model_open_all (model, TRUE);
  text = jmc_top_draw_page (model, "c1", NULL, 0);

  /* clang-format off */
  g_assert_cmpstr (text, ==,
    "c1  2 jobs running, 1 ended                                                                                             2023-11-14  22:13:20\n"
    "CPU [|||||||||||||                                     ] 25.0% of 8 CPUs, jobs have 6\n"
    "Mem [|||||||||||||||||||||||||                         ] 50.0%, 2.0GiB of 4.0GiB\n"
    "  JOBID  USER   ACCOUNT NAME         CPUS vCPU% CPU-TIME     MEM    PEAK MEM-LIMIT       MEM%  READ/s WRITE/s PROCS THREADS PRESSURE%    AGE\n"
    "- 7      alice  -       train           4  50.0    1m44s  950MiB  960MiB   1000MiB ||||||  95       -       -     3       4         -  1h00m\n"
    "  `- step 0                             -  50.0    1m44s       -       -         -          -       -       -     -       -         -      -\n"
    "     `- train                              50.0    1m44s\n"
    "  8      bob    -       nap             2   0.0    2h00m       -       -         -          -       -       -     -       -         -  1h00m\n"
    "x 9      -      -       -               -     -        -       -       -         -          -       -       -     -       -         -  1h00m\n");
  /* clang-format on */
}

static JmcTopFrame *
draw (JmcTopModel *model, const char *notice, guint width, guint height)
{
  g_autoptr (JmcTopControl) control = jmc_top_control_new (model, 2);
  g_autofree char *copy = g_strdup (notice);
  const JmcTopScene scene = { (char *) "c1", copy };

  return jmc_top_draw_screen (control, &scene, width, height);
}

static char *
draw_text (JmcTopModel *model, const char *notice, guint width, guint height)
{
  g_autoptr (JmcTopFrame) frame = draw (model, notice, width, height);

  return jmc_top_frame_to_text (frame);
}

static void
assert_fits (const char *text, guint width, guint height)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, height + 1);
  for (char **line = lines; *line != NULL; line++)
    g_assert_cmpuint (jm_text_width_get (*line), <=, width);
}

static void
test_a_screen_of_any_size_is_kept_to (void)
{
  g_autoptr (JmcTopModel) model = make_model ();

  jmc_top_model_open_all (model, TRUE);
  for (guint width = 1; width < 200; width++)
    for (guint height = 1; height < 30; height += 3)
      {
        g_autofree char *text = draw_text (model, "cpu: cannot be read", width, height);

        assert_fits (text, width, height);
      }
}

static void
test_80_columns_show_what_matters_most (void)
{
  g_autoptr (JmcTopModel) model = make_model ();
  g_autofree char *text = draw_text (model, NULL, 80, 24);

  g_assert_nonnull (strstr (text, "\n  JOBID  USER   NAME         CPUS vCPU% CPU-TIME "
                                  "    MEM       MEM%    AGE\n"));
  g_assert_nonnull (strstr (text, "every 2s  22:13:20\n"));
  g_assert_nonnull (strstr (text, "q quit  Enter open"));
}

static void
test_a_long_id_costs_no_figure (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();
  g_autofree char *text = NULL;

  for (guint i = 0; i < 2; i++)
    {
      Sweep *sweep = sweep_new ();

      sweep_add_job (sweep, "12345678_1234567", "caroline", "training-of-the-model");
      sweep_add (sweep, JM_METRIC_CPU_TOTAL, (3 + i) * SECOND_NS);
      update (model, sweep, 100 + 2 * i);
    }
  text = draw_text (model, NULL, 80, 24);

  g_assert_nonnull (strstr (text, " vCPU% CPU-TIME "));
  g_assert_nonnull (strstr (text, "  12345678_1234567 caroline train"));
}

static void
test_a_narrow_screen_drops_columns (void)
{
  g_autoptr (JmcTopModel) model = make_model ();
  g_autofree char *text = draw_text (model, NULL, 40, 24);

  g_assert_nonnull (strstr (text, "\n  JOBID  USER   vCPU%     MEM\n"));
}

static void
test_a_screen_that_is_too_small_says_so (void)
{
  g_autoptr (JmcTopModel) model = make_model ();
  g_autofree char *narrow = draw_text (model, NULL, 39, 24);
  g_autofree char *low = draw_text (model, NULL, 80, 7);

  g_assert_true (
    g_str_has_prefix (narrow, "Terminal too small\n39x24, needed: 40x8\n"));
  g_assert_true (g_str_has_prefix (low, "Terminal too small\n80x7, needed: 40x8\n"));
}

static JmcTopModel *
make_named_jobs (void)
{
  JmcTopModel *model = jmc_top_model_new ();
  Sweep *sweep = sweep_new ();

  sweep_add_job (sweep, "1", "alice", "\033[2J\r\n\t\x7f");
  sweep_add_job (sweep, "2", "bob",
                 "\xe2\x80\xae"
                 "detrever");
  sweep_add_job (sweep, "3", "carol",
                 "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa"
                 "\x9e\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e");
  sweep_add_job (sweep, "4", "\xff\xfe", "e\xcc\x81");
  sweep_add_job (sweep, "5", "dave", "");
  update (model, sweep, 1);
  jmc_top_model_sort (model, JMC_TOP_ID, FALSE);

  return model;
}

static void
test_names_neither_steer_the_terminal_nor_move_columns (void)
{
  g_autoptr (JmcTopModel) model = make_named_jobs ();
  g_autofree char *text = draw_text (model, "\033[31mred", 80, 24);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (const char *p = text; *p != '\0'; p++)
    g_assert_true (*p == '\n' || !g_ascii_iscntrl (*p));
  for (guint i = 4; i < 9; i++)
    {
      g_assert_cmpuint (jm_text_width_get (lines[i]), ==, jm_text_width_get (lines[3]));
      g_assert_true (g_str_has_suffix (lines[i], " 1h00m"));
    }
  g_assert_nonnull (strstr (lines[4], "?[2J????"));
  g_assert_nonnull (strstr (lines[5], "?detrever"));
}

static void
test_a_long_notice_loses_its_middle (void)
{
  g_autoptr (JmcTopModel) model = make_model ();
  g_autofree char *text =
    draw_text (model, "cpu: /a/very/long/path/to/some/file: not a number", 40, 10);

  g_assert_nonnull (strstr (text, "\ncpu: /a/very/.../some/file: not a number\n"));
}

static void
test_no_line_has_its_reason (void)
{
  g_autoptr (JmcTopModel) model = jmc_top_model_new ();
  g_autoptr (JmcTopModel) chosen = make_model ();
  g_autofree char *empty = NULL;
  g_autofree char *none = NULL;

  update (model, sweep_new (), 1);
  empty = draw_text (model, NULL, 80, 24);
  g_assert_nonnull (strstr (empty, "\nNo jobs on this node.\n"));

  jmc_top_model_set_filter (chosen, "zzz");
  none = draw_text (chosen, NULL, 80, 24);
  g_assert_nonnull (strstr (none, "\nNo job is of this choice; Esc shows all.\n"));
  g_assert_nonnull (strstr (none, "\nfilter: zzz  q quit"));
}

/* The style of the last span that is @text. */
static JmcTopStyle
get_style (JmcTopFrame *frame, const char *text)
{
  for (guint i = jmc_top_frame_get_n_spans (frame); i-- > 0;)
    if (g_str_equal (jmc_top_frame_get_span (frame, i)->text, text))
      return jmc_top_frame_get_span (frame, i)->style;

  g_assert_not_reached ();
}

static void
test_colours_are_for_what_somebody_should_look_at (void)
{
  g_autoptr (JmcTopModel) model = make_model ();
  g_autoptr (JmcTopFrame) frame = NULL;

  jmc_top_model_select (model, 2);
  frame = draw (model, NULL, 80, 24);

  g_assert_cmpint (get_style (frame, "95"), ==, JMC_TOP_ALARM);
  g_assert_cmpint (get_style (frame, "0.0"), ==, JMC_TOP_WARN);
  g_assert_cmpint (get_style (frame, "50.0"), ==, JMC_TOP_PLAIN);
  g_assert_cmpint (get_style (frame, "nap"), ==, JMC_TOP_PLAIN);
  g_assert_cmpint (get_style (frame, "9"), ==, JMC_TOP_REVERSE);
}

#define ADD(name, function) g_test_add_func ("/cli/top/draw/" name, function)

int
main (int argc, char **argv)
{
  g_setenv ("TZ", "UTC", TRUE);
  /* not UTF-8: bars and trees are drawn in ASCII */
  g_setenv ("LC_ALL", "C", TRUE);
  g_test_init (&argc, &argv, NULL);

  ADD ("page", test_a_page_shows_everything);
  ADD ("any-size", test_a_screen_of_any_size_is_kept_to);
  ADD ("80-columns", test_80_columns_show_what_matters_most);
  ADD ("a-long-id", test_a_long_id_costs_no_figure);
  ADD ("narrow", test_a_narrow_screen_drops_columns);
  ADD ("too-small", test_a_screen_that_is_too_small_says_so);
  ADD ("names", test_names_neither_steer_the_terminal_nor_move_columns);
  ADD ("long-notice", test_a_long_notice_loses_its_middle);
  ADD ("no-line", test_no_line_has_its_reason);
  ADD ("colours", test_colours_are_for_what_somebody_should_look_at);

  return g_test_run ();
}
