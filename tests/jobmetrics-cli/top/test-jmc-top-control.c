/* test-jmc-top-control.c: what keys do in top
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-top-node.h"
#include "top/jmc-top-control.h"

typedef struct
{
  JmcTopModel *model;
  JmcTopControl *control;
} Fixture;

/* Jobs 1 to 20; the first one has a step. */
static void
set_up (Fixture *self, gconstpointer data)
{
  Sweep *sweep = sweep_new ();
  g_autoptr (JmSnapshot) snapshot = NULL;

  for (guint i = 1; i <= 20; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);

      sweep_add_job (sweep, id, i % 2 == 0 ? "bob" : "alice", NULL);
      if (i == 1)
        sweep_add_step (sweep, "0");
    }
  snapshot = sweep_finish (sweep);

  self->model = jmc_top_model_new ();
  jmc_top_model_sort (self->model, JMC_TOP_ID, FALSE);
  jmc_top_model_update (self->model, snapshot, 1);
  self->control = jmc_top_control_new (self->model, 2);
  jmc_top_control_set_page (self->control, 5);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  jmc_top_control_free (self->control);
  jmc_top_model_free (self->model);
}

static void
type (Fixture *self, const char *text)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    g_assert_cmpint (jmc_top_control_press (self->control, g_utf8_get_char (p)), ==,
                     JMC_TOP_DRAW);
}

static void
press (Fixture *self, guint32 key)
{
  g_assert_cmpint (jmc_top_control_press (self->control, key), ==, JMC_TOP_DRAW);
}

static void
test_q_and_control_c_quit (Fixture *self, gconstpointer data)
{
  g_assert_cmpint (jmc_top_control_press (self->control, 'q'), ==, JMC_TOP_QUIT);
  g_assert_cmpint (jmc_top_control_press (self->control, JMC_TOP_KEY_INTERRUPT), ==,
                   JMC_TOP_QUIT);
}

static void
test_control_c_quits_while_something_is_asked (Fixture *self, gconstpointer data)
{
  type (self, "/q");
  g_assert_cmpstr (jmc_top_model_get_filter (self->model), ==, "q");
  g_assert_cmpint (jmc_top_control_press (self->control, JMC_TOP_KEY_INTERRUPT), ==,
                   JMC_TOP_QUIT);
}

static void
test_movement_stops_at_the_ends (Fixture *self, gconstpointer data)
{
  press (self, JMC_TOP_KEY_UP);
  g_assert_cmpuint (jmc_top_model_get_selected (self->model), ==, 0);
  press (self, JMC_TOP_KEY_PAGE_DOWN);
  press (self, JMC_TOP_KEY_DOWN);
  g_assert_cmpuint (jmc_top_model_get_selected (self->model), ==, 6);
  press (self, JMC_TOP_KEY_END);
  press (self, JMC_TOP_KEY_DOWN);
  g_assert_cmpuint (jmc_top_model_get_selected (self->model), ==, 19);
  press (self, JMC_TOP_KEY_PAGE_UP);
  g_assert_cmpuint (jmc_top_model_get_selected (self->model), ==, 14);
  press (self, JMC_TOP_KEY_HOME);
  g_assert_cmpuint (jmc_top_model_get_selected (self->model), ==, 0);
}

static void
test_the_page_follows_the_selection (Fixture *self, gconstpointer data)
{
  press (self, JMC_TOP_KEY_END);
  jmc_top_control_set_page (self->control, 5);
  g_assert_cmpuint (self->control->first, ==, 15);

  press (self, JMC_TOP_KEY_UP);
  jmc_top_control_set_page (self->control, 5);
  g_assert_cmpuint (self->control->first, ==, 15);

  jmc_top_control_set_page (self->control, 30);
  g_assert_cmpuint (self->control->first, ==, 0);
}

static void
test_enter_opens_and_closes (Fixture *self, gconstpointer data)
{
  press (self, JMC_TOP_KEY_ENTER);
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 21);
  press (self, JMC_TOP_KEY_ENTER);
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 20);
  press (self, JMC_TOP_KEY_RIGHT);
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 21);
  press (self, JMC_TOP_KEY_LEFT);
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 20);
  type (self, "e");
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 21);
  type (self, "e");
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 20);
}

static void
test_a_filter_works_while_it_is_typed (Fixture *self, gconstpointer data)
{
  type (self, "/20");
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 1);
  press (self, JMC_TOP_KEY_BACKSPACE);
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 3);
  press (self, JMC_TOP_KEY_ENTER);
  g_assert_cmpint (self->control->prompt, ==, JMC_TOP_NO_PROMPT);
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 3);
}

static void
test_escape_gives_a_filter_up (Fixture *self, gconstpointer data)
{
  type (self, "/alice");
  press (self, JMC_TOP_KEY_ENTER);
  type (self, "/x");
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 0);
  press (self, JMC_TOP_KEY_ESCAPE);
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 10);
  press (self, JMC_TOP_KEY_ESCAPE);
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 20);
}

static void
test_a_user_is_asked_for (Fixture *self, gconstpointer data)
{
  type (self, "ubo");
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 20);
  type (self, "b");
  press (self, JMC_TOP_KEY_ENTER);
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 10);

  type (self, "u");
  press (self, JMC_TOP_KEY_ENTER);
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 20);
}

static void
test_what_is_typed_has_bounds (Fixture *self, gconstpointer data)
{
  type (self, "/");
  press (self, JMC_TOP_KEY_BACKSPACE);
  press (self, 7);
  press (self, JMC_TOP_KEY_UP);
  g_assert_cmpstr (self->control->input->str, ==, "");

  for (guint i = 0; i < 1000; i++)
    type (self, "é");
  g_assert_cmpuint (self->control->input->len, <, 200);
  press (self, JMC_TOP_KEY_CLEAR);
  g_assert_cmpstr (self->control->input->str, ==, "");
}

static void
test_sorting_goes_round_the_columns_on_the_screen (Fixture *self, gconstpointer data)
{
  gboolean is_reversed;

  self->control->shown = 1u << JMC_TOP_ID | 1u << JMC_TOP_MEMORY;
  type (self, "s");
  g_assert_cmpint (jmc_top_model_get_sort (self->model, &is_reversed), ==,
                   JMC_TOP_MEMORY);
  type (self, "r>");
  g_assert_cmpint (jmc_top_model_get_sort (self->model, &is_reversed), ==, JMC_TOP_ID);
  g_assert_false (is_reversed);
  type (self, "<r");
  g_assert_cmpint (jmc_top_model_get_sort (self->model, &is_reversed), ==,
                   JMC_TOP_MEMORY);
  g_assert_true (is_reversed);
}

static void
test_the_interval_changes_in_steps_within_bounds (Fixture *self, gconstpointer data)
{
  g_assert_cmpint (jmc_top_control_press (self->control, '+'), ==, JMC_TOP_WAIT);
  g_assert_cmpfloat (self->control->interval, ==, 3);
  for (guint i = 0; i < 20; i++)
    jmc_top_control_press (self->control, '+');
  g_assert_cmpfloat (self->control->interval, ==, JMC_TOP_MAX_INTERVAL);

  self->control->interval = 1.7;
  jmc_top_control_press (self->control, '-');
  g_assert_cmpfloat (self->control->interval, ==, 1);
  for (guint i = 0; i < 20; i++)
    jmc_top_control_press (self->control, '-');
  g_assert_cmpfloat (self->control->interval, ==, JMC_TOP_MIN_INTERVAL);
}

static void
test_p_pauses_and_space_reads_meanwhile (Fixture *self, gconstpointer data)
{
  g_assert_cmpint (jmc_top_control_press (self->control, 'p'), ==, JMC_TOP_WAIT);
  g_assert_true (self->control->is_paused);
  g_assert_cmpint (jmc_top_control_press (self->control, ' '), ==, JMC_TOP_SWEEP);
  g_assert_cmpint (jmc_top_control_press (self->control, 'p'), ==, JMC_TOP_WAIT);
  g_assert_false (self->control->is_paused);
}

static void
test_any_key_leaves_the_help (Fixture *self, gconstpointer data)
{
  type (self, "?");
  g_assert_true (self->control->has_help);
  press (self, JMC_TOP_KEY_NONE);
  g_assert_true (self->control->has_help);
  type (self, "q");
  g_assert_false (self->control->has_help);
}

static void
test_keys_without_a_meaning_do_nothing (Fixture *self, gconstpointer data)
{
  for (guint32 key = 0; key < 0x300; key++)
    if (key < 128
          ? g_unichar_isprint (key) == FALSE && key != 3 && key != 26 && key != 28
          : TRUE)
      press (self, key);
  g_assert_cmpuint (jmc_top_model_get_n_lines (self->model), ==, 20);
}

static void
test_keys_lead_through_past_times (Fixture *self, gconstpointer data)
{
  static const struct
  {
    guint32 key;
    int step;
  } keys[] = { { ',', -1 }, { '.', 1 }, { '<', -10 }, { '>', 10 } };

  self->control->is_past = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_assert_cmpint (jmc_top_control_press (self->control, keys[i].key), ==,
                       JMC_TOP_GO);
      g_assert_cmpint (self->control->step, ==, keys[i].step);
    }

  /* a past time has no interval */
  press (self, '+');
  press (self, 'p');
  press (self, ' ');
  g_assert_cmpfloat (self->control->interval, ==, 2);
  g_assert_false (self->control->is_paused);
  g_assert_cmpint (jmc_top_control_press (self->control, 'q'), ==, JMC_TOP_QUIT);
}

#define ADD(name, function)                                                            \
 g_test_add ("/cli/top/control/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("quit", test_q_and_control_c_quit);
  ADD ("quit-while-asked", test_control_c_quits_while_something_is_asked);
  ADD ("movement", test_movement_stops_at_the_ends);
  ADD ("page", test_the_page_follows_the_selection);
  ADD ("enter", test_enter_opens_and_closes);
  ADD ("filter", test_a_filter_works_while_it_is_typed);
  ADD ("escape", test_escape_gives_a_filter_up);
  ADD ("user", test_a_user_is_asked_for);
  ADD ("bounds", test_what_is_typed_has_bounds);
  ADD ("sort", test_sorting_goes_round_the_columns_on_the_screen);
  ADD ("interval", test_the_interval_changes_in_steps_within_bounds);
  ADD ("pause", test_p_pauses_and_space_reads_meanwhile);
  ADD ("past", test_keys_lead_through_past_times);
  ADD ("help", test_any_key_leaves_the_help);
  ADD ("other-keys", test_keys_without_a_meaning_do_nothing);

  return g_test_run ();
}
