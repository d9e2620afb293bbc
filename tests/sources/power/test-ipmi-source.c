/* test-ipmi-source.c: a node's power, from its BMC through the kernel
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/power/jm-power-types-private.h"

#include <errno.h>
#include <string.h>

#include "answers.h"
#include "base/jm-error.h"
#include "fake-bmc.h"

#define TIMEOUT_MS 20
#define LONG_S 3600.0
#define SHORT_S 0.02

typedef struct
{
  FakeBmc *bmc;
  JmIpmiDevice *device;
} Door;

static Door *
door_new (void)
{
  g_autoptr (GError) error = NULL;
  Door *self = g_new0 (Door, 1);

  self->bmc = fake_bmc_new ();
  self->device = jm_ipmi_device_new ("/dev/ipmi0", &self->bmc->calls, &error);
  g_assert_no_error (error);

  return self;
}

static void
door_free (Door *self)
{
  jm_ipmi_device_free (self->device);
  fake_bmc_free (self->bmc);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Door, door_free)

/* The watts that the BMC reports, or 0 and an error. */
static guint
door_ask (Door *self, GError **error)
{
  JmDcmiReading reading = { 0 };
  gboolean is_told =
    jm_ipmi_device_read_power (self->device, TIMEOUT_MS, NULL, &reading, error);

  g_assert_cmpint (is_told, ==, reading.watts > 0);

  return reading.watts;
}

static void
assert_watts (Door *self, guint expected)
{
  g_autoptr (GError) error = NULL;
  guint watts = door_ask (self, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (watts, ==, expected);
}

static void
assert_refused (Door *self, JmError code, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (door_ask (self, &error), ==, 0);
  assert_says (error, code, words);
  g_assert_true (g_str_has_prefix (error->message, "/dev/ipmi0: "));
}

static void
test_a_bmc_reports_the_watts_of_the_moment (void)
{
  g_autoptr (Door) door = door_new ();

  assert_watts (door, 312);
  fake_bmc_set_watts (door->bmc, 1999);
  assert_watts (door, 1999);
}

static void
test_a_longer_answer_is_read_as_far_as_it_is_known (void)
{
  static const guint8 more[] = { 0x00, 0xdc, 0x39, 0x00, 0x38, 0x00, 0x3b,
                                 0x00, 0x39, 0x00, 0xe3, 0x6f, 0x0a, 0x39,
                                 0xe8, 0x03, 0x00, 0x00, 0x40, 0x00, 0x00 };
  g_autoptr (Door) door = door_new ();

  fake_bmc_set_answer (door->bmc, more, sizeof more);
  assert_watts (door, 57);
}

static void
test_a_completion_code_is_reported_with_its_meaning (void)
{
  static const struct
  {
    guint8 code;
    JmError error;
    const char *words;
  } cases[] = {
    { 0xc0, JM_ERROR_UNAVAILABLE, "C0h: the BMC is busy" },
    { 0xc1, JM_ERROR_ABSENT, "C1h: the BMC does not know the command: it has no DCMI" },
    { 0xc3, JM_ERROR_UNAVAILABLE, "C3h: the BMC did not answer in time" },
    { 0xcc, JM_ERROR_ABSENT, "CCh: the BMC does not measure" },
    { 0xd4, JM_ERROR_DENIED, "D4h: the BMC wants a higher privilege" },
    { 0xd5, JM_ERROR_UNAVAILABLE, "D5h: " },
    { 0xff, JM_ERROR_UNAVAILABLE, "FFh: the BMC gives no reason" },
    { 0x80, JM_ERROR_UNAVAILABLE, "80h: of no standard meaning" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Door) door = door_new ();

      /* a refusal is one byte long, but some BMCs send the rest too */
      fake_bmc_set_byte (door->bmc, 0, cases[i].code);
      assert_refused (door, cases[i].error, cases[i].words);
      fake_bmc_set_answer (door->bmc, &cases[i].code, 1);
      assert_refused (door, cases[i].error, cases[i].words);
    }
}

static void
test_a_short_answer_is_no_reading (void)
{
  g_autoptr (Door) door = door_new ();

  for (gsize length = 0; length < 19; length++)
    {
      fake_bmc_set_watts (door->bmc, 312);
      fake_bmc_set_answer (door->bmc, door->bmc->answer, length);
      assert_refused (door, JM_ERROR_MALFORMED, "bytes, where an answer has 19");
    }
  fake_bmc_set_watts (door->bmc, 312);
  assert_watts (door, 312);
}

static void
test_an_answer_of_another_group_is_no_reading (void)
{
  g_autoptr (Door) door = door_new ();

  fake_bmc_set_byte (door->bmc, 1, 0x3c);
  assert_refused (door, JM_ERROR_MALFORMED, "group 3Ch, where DCMI's is DCh");
}

static void
test_an_answer_to_another_command_is_no_reading (void)
{
  g_autoptr (Door) door = door_new ();

  fake_bmc_set_way (door->bmc, FAKE_BMC_OTHER_COMMAND);
  assert_refused (door, JM_ERROR_MALFORMED,
                  "not an answer to Get Power Reading: 2Dh 03h");
}

static void
test_a_bmc_that_does_not_measure_reports_nothing (void)
{
  g_autoptr (Door) door = door_new ();

  fake_bmc_set_byte (door->bmc, 18, 0xbf);
  assert_refused (door, JM_ERROR_UNAVAILABLE, "not active");
}

static void
test_no_watts_are_no_reading (void)
{
  g_autoptr (Door) door = door_new ();

  fake_bmc_set_watts (door->bmc, 0);
  assert_refused (door, JM_ERROR_UNAVAILABLE, "0 Watts is no reading");
  fake_bmc_set_watts (door->bmc, 0xffff);
  assert_refused (door, JM_ERROR_UNAVAILABLE, "65535 Watts is no reading");
}

static void
test_a_late_answer_is_not_taken_for_the_one_that_is_due (void)
{
  g_autoptr (Door) door = door_new ();

  fake_bmc_set_watts (door->bmc, 500);
  fake_bmc_set_way (door->bmc, FAKE_BMC_HANGS);
  assert_refused (door, JM_ERROR_UNAVAILABLE, "did not answer in time");
  assert_refused (door, JM_ERROR_UNAVAILABLE, "did not answer in time");

  fake_bmc_set_watts (door->bmc, 312);
  fake_bmc_set_way (door->bmc, FAKE_BMC_ANSWERS);
  g_assert_cmpuint (door->bmc->messages.length, ==, 2);
  assert_watts (door, 312);
  g_assert_cmpuint (door->bmc->messages.length, ==, 0);
}

static void
test_an_event_before_the_answer_is_passed_over (void)
{
  g_autoptr (Door) door = door_new ();

  fake_bmc_set_way (door->bmc, FAKE_BMC_EVENT_FIRST);
  assert_watts (door, 312);
}

static void
test_a_message_that_is_gone_is_waited_for_again (void)
{
  g_autoptr (Door) door = door_new ();

  fake_bmc_set_way (door->bmc, FAKE_BMC_NO_MESSAGE);
  assert_watts (door, 312);
}

static void
test_a_bmc_that_answers_others_for_ever_is_given_up (void)
{
  g_autoptr (Door) door = door_new ();

  fake_bmc_set_way (door->bmc, FAKE_BMC_STRAYS);
  assert_refused (door, JM_ERROR_UNAVAILABLE, "answers to other questions alone");
}

static void
test_a_driver_that_was_unloaded_is_asked_again_when_it_is_back (void)
{
  g_autoptr (Door) door = door_new ();

  assert_watts (door, 312);
  door->bmc->ioctl_result = -ENODEV;
  door->bmc->open_result = -ENOENT;
  assert_refused (door, JM_ERROR_ABSENT, "No such device");
  assert_refused (door, JM_ERROR_ABSENT, "No such file");

  door->bmc->ioctl_result = 0;
  door->bmc->open_result = 0;
  assert_watts (door, 312);
  g_assert_cmpuint (door->bmc->n_opened, ==, 2);
}

static void
test_an_answer_too_long_for_ipmi_is_refused (void)
{
  g_autoptr (Door) door = door_new ();

  door->bmc->ioctl_result = -EMSGSIZE;
  assert_refused (door, JM_ERROR_MALFORMED, "longer than expected");
}

static JmIpmiSource *
open_source (FakeBmc *bmc, double interval_s, double timeout_s)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  JmIpmiSource *source =
    jm_ipmi_source_new_with_calls (host, interval_s, timeout_s, &bmc->calls, &error);

  g_assert_no_error (error);

  return source;
}

static void
assert_advised (JmIpmiSource *source, JmError code, const char *words)
{
  g_autoptr (GError) error = g_error_new_literal (JM_ERROR, (int) code, "");
  g_autoptr (JmAdvice) advice = jm_advice_new ();
  g_autofree char *text = NULL;

  jm_source_advise (JM_SOURCE (source), error, advice);
  text = jm_advice_get_text (advice);
  g_assert_nonnull (strstr (text, words));
}

/* The same code means another thing before the device is open. */
static void
test_what_helps_depends_on_where_it_failed (void)
{
  g_autoptr (FakeBmc) bmc = fake_bmc_new ();
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (JmIpmiSource) closed =
    g_object_new (JM_TYPE_IPMI_SOURCE, "host", host, NULL);
  g_autoptr (JmIpmiSource) opened = open_source (bmc, LONG_S, LONG_S);

  assert_advised (closed, JM_ERROR_ABSENT, "ipmi_devintf");
  assert_advised (closed, JM_ERROR_DENIED, "power-ipmi.conf");
  assert_advised (opened, JM_ERROR_ABSENT, "redfish");
  assert_advised (opened, JM_ERROR_DENIED, "privilege");
  assert_advised (opened, JM_ERROR_UNAVAILABLE, "Turn power");
}

static void
assert_cannot_be_opened (int result, JmError code, const char *words)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (FakeBmc) bmc = fake_bmc_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmIpmiSource) source = NULL;

  bmc->open_result = result;
  source = jm_ipmi_source_new_with_calls (host, LONG_S, LONG_S, &bmc->calls, &error);
  g_assert_null (source);
  assert_says (error, code, words);
}

static void
test_without_a_device_there_is_no_source (void)
{
  assert_cannot_be_opened (-ENOENT, JM_ERROR_ABSENT, "/dev/ipmi0: No such file");
  assert_cannot_be_opened (-ENXIO, JM_ERROR_ABSENT, "/dev/ipmi0: No such device");
  assert_cannot_be_opened (-EACCES, JM_ERROR_DENIED, "/dev/ipmi0: Permission denied");
}

static void
test_a_copied_tree_has_no_bmc (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "slurm-v2-steps", NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmIpmiSource) source =
    g_initable_new (JM_TYPE_IPMI_SOURCE, NULL, &error, "host", host, NULL);

  g_assert_null (source);
  assert_says (error, JM_ERROR_ABSENT, "/dev/ipmi0: ");
}

static void
test_a_device_that_is_not_there_is_named (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmIpmiSource) source =
    g_initable_new (JM_TYPE_IPMI_SOURCE, NULL, &error, "host", host, "device",
                    "/dev/no-such-bmc", NULL);

  g_assert_null (source);
  assert_says (error, JM_ERROR_ABSENT, "/dev/no-such-bmc: No such file");
}

static void
test_the_node_s_power_is_reported_with_its_age (void)
{
  g_autoptr (FakeBmc) bmc = fake_bmc_new ();
  g_autoptr (JmIpmiSource) source = open_source (bmc, LONG_S, LONG_S);
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (answers_wait (source));
  g_assert_true (answers_read (readings, source, &error));
  g_assert_no_error (error);
  assert_power (readings, "node", 312000000);
  g_assert_cmpuint (jm_readings_get_age (readings), <, (guint64) ANSWERS_PATIENCE_US);
  g_assert_null (answers_get_problem (readings));

  /* from then on it is asked at its interval, however often it is read */
  g_assert_true (answers_read (readings, source, &error));
  g_assert_cmpuint (fake_bmc_get_n_questions (bmc), ==, 1);
  g_assert_false (jm_power_source_is_estimate (JM_POWER_SOURCE (source)));
}

static void
test_nobody_waits_for_a_bmc_that_hangs (void)
{
  g_autoptr (FakeBmc) bmc = fake_bmc_new ();
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (GError) error = NULL;
  JmIpmiSource *source;

  fake_bmc_set_way (bmc, FAKE_BMC_HANGS);
  source = open_source (bmc, LONG_S, LONG_S);
  g_assert_false (answers_read (readings, source, &error));
  assert_says (error, JM_ERROR_UNAVAILABLE, "no answer yet");

  /* who closes it does not wait for the hour of its time-out either */
  g_assert_finalize_object (source);
}

static void
test_a_bmc_that_refuses_is_quoted (void)
{
  g_autoptr (FakeBmc) bmc = fake_bmc_new ();
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmIpmiSource) source = NULL;

  fake_bmc_set_byte (bmc, 0, 0xc1);
  source = open_source (bmc, LONG_S, LONG_S);
  g_assert_true (answers_wait (source));
  g_assert_false (answers_read (readings, source, &error));
  assert_says (error, JM_ERROR_ABSENT, "it has no DCMI");
}

static void
test_an_answer_that_is_too_old_is_none (void)
{
  g_autoptr (FakeBmc) bmc = fake_bmc_new ();
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (JmIpmiSource) source = open_source (bmc, SHORT_S, LONG_S);
  g_autoptr (GError) error = NULL;
  gint64 end_us = g_get_monotonic_time () + ANSWERS_PATIENCE_US;

  g_assert_true (answers_wait (source));
  fake_bmc_set_byte (bmc, 0, 0xd2);
  while (error == NULL || strstr (error->message, "D2h") == NULL)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_clear_error (&error);
      if (answers_read (readings, source, &error))
        assert_power (readings, "node", 312000000);
    }

  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/ipmi-source/a-bmc-reports-the-watts-of-the-moment",
                   test_a_bmc_reports_the_watts_of_the_moment);
  g_test_add_func ("/ipmi-source/a-longer-answer-is-read-as-far-as-it-is-known",
                   test_a_longer_answer_is_read_as_far_as_it_is_known);
  g_test_add_func ("/ipmi-source/a-completion-code-is-reported-with-its-meaning",
                   test_a_completion_code_is_reported_with_its_meaning);
  g_test_add_func ("/ipmi-source/a-short-answer-is-no-reading",
                   test_a_short_answer_is_no_reading);
  g_test_add_func ("/ipmi-source/an-answer-of-another-group-is-no-reading",
                   test_an_answer_of_another_group_is_no_reading);
  g_test_add_func ("/ipmi-source/an-answer-to-another-command-is-no-reading",
                   test_an_answer_to_another_command_is_no_reading);
  g_test_add_func ("/ipmi-source/a-bmc-that-does-not-measure-reports-nothing",
                   test_a_bmc_that_does_not_measure_reports_nothing);
  g_test_add_func ("/ipmi-source/no-watts-are-no-reading",
                   test_no_watts_are_no_reading);
  g_test_add_func ("/ipmi-source/a-late-answer-is-not-taken-for-the-one-that-is-due",
                   test_a_late_answer_is_not_taken_for_the_one_that_is_due);
  g_test_add_func ("/ipmi-source/an-event-before-the-answer-is-passed-over",
                   test_an_event_before_the_answer_is_passed_over);
  g_test_add_func ("/ipmi-source/a-message-that-is-gone-is-waited-for-again",
                   test_a_message_that_is_gone_is_waited_for_again);
  g_test_add_func ("/ipmi-source/a-bmc-that-answers-others-for-ever-is-given-up",
                   test_a_bmc_that_answers_others_for_ever_is_given_up);
  g_test_add_func ("/ipmi-source/"
                   "a-driver-that-was-unloaded-is-asked-again-when-it-is-back",
                   test_a_driver_that_was_unloaded_is_asked_again_when_it_is_back);
  g_test_add_func ("/ipmi-source/an-answer-too-long-for-ipmi-is-refused",
                   test_an_answer_too_long_for_ipmi_is_refused);
  g_test_add_func ("/ipmi-source/without-a-device-there-is-no-source",
                   test_without_a_device_there_is_no_source);
  g_test_add_func ("/ipmi-source/what-helps-depends-on-where-it-failed",
                   test_what_helps_depends_on_where_it_failed);
  g_test_add_func ("/ipmi-source/a-copied-tree-has-no-bmc",
                   test_a_copied_tree_has_no_bmc);
  g_test_add_func ("/ipmi-source/a-device-that-is-not-there-is-named",
                   test_a_device_that_is_not_there_is_named);
  g_test_add_func ("/ipmi-source/the-node-s-power-is-reported-with-its-age",
                   test_the_node_s_power_is_reported_with_its_age);
  g_test_add_func ("/ipmi-source/nobody-waits-for-a-bmc-that-hangs",
                   test_nobody_waits_for_a_bmc_that_hangs);
  g_test_add_func ("/ipmi-source/a-bmc-that-refuses-is-quoted",
                   test_a_bmc_that_refuses_is_quoted);
  g_test_add_func ("/ipmi-source/an-answer-that-is-too-old-is-none",
                   test_an_answer_that_is_too_old_is_none);

  return g_test_run ();
}
