/* test-gpu-library.c: accelerators as a maker's library reports them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/gpu/jm-gpu-library-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-gpu-report-private.h"

#define N_DEVICES 3
#define NONE G_MAXUINT
/* Of what must happen; a test that fails waits so long. */
#define PATIENCE_US (30 * G_USEC_PER_SEC)
#define POWER_UW 250000000

/* What the driver is asked to do, and did; of all threads, below one lock. */
typedef struct
{
  GMutex mutex;
  GCond cond;
  guint n_devices;
  guint hanging; /* device whose question does not return, or NONE */
  guint lost;    /* device that is not there any more, or NONE */
  gboolean list_hangs;
  gboolean stop_hangs;
  const GError *list_error;
  guint n_hanging; /* calls now */
  guint n_lists;
  guint n_reads;
  guint n_looks;
  gboolean has_samples; /* a look finds nothing to do */
  guint n_stops;
  guint n_made;
  guint n_finalized;
} Driver;

#define FAKE_TYPE_LIBRARY (fake_library_get_type ())
G_DECLARE_FINAL_TYPE (FakeLibrary, fake_library, FAKE, LIBRARY, JmGpuLibrary)

struct _FakeLibrary
{
  JmGpuLibrary parent_instance;
  Driver *driver;
};

G_DEFINE_TYPE (FakeLibrary, fake_library, JM_TYPE_GPU_LIBRARY)

/* With the lock; waits as long as the driver is asked to. */
static void
hang_while (Driver *driver, const gboolean *flag, const guint *hanging, guint device)
{
  if (!(flag != NULL ? *flag : *hanging == device))
    return;

  driver->n_hanging++;
  g_cond_broadcast (&driver->cond);
  while (flag != NULL ? *flag : *hanging == device)
    g_cond_wait (&driver->cond, &driver->mutex);
  driver->n_hanging--;
}

static gboolean
fake_library_load (JmGpuLibrary *library, GError **error)
{
  return TRUE;
}

static gboolean
fake_library_list (JmGpuLibrary *library, GPtrArray *gpus, GError **error)
{
  Driver *driver = FAKE_LIBRARY (library)->driver;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&driver->mutex);

  hang_while (driver, &driver->list_hangs, NULL, 0);
  driver->n_lists++;
  if (driver->list_error != NULL)
    {
      g_propagate_error (error, g_error_copy (driver->list_error));
      return FALSE;
    }

  for (guint i = 0; i < driver->n_devices; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      g_ptr_array_add (gpus, jm_gpu_new (name, i));
    }

  return TRUE;
}

static gboolean
fake_library_read (JmGpuLibrary *library,
                   guint device,
                   JmGpu *gpu,
                   JmGpuReport *report,
                   GError **error)
{
  Driver *driver = FAKE_LIBRARY (library)->driver;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&driver->mutex);

  hang_while (driver, NULL, &driver->hanging, device);
  driver->n_reads++;
  g_cond_broadcast (&driver->cond);
  if (driver->lost == device)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%u: lost", device);
      return FALSE;
    }

  jm_gpu_report_add (report, JM_METRIC_GPU_POWER, POWER_UW + device);

  return TRUE;
}

/* Between two readings it is busy and idle in turn. */
static void
fake_library_look (JmGpuLibrary *library, guint device, JmGpu *gpu, JmGpuReport *report)
{
  Driver *driver = FAKE_LIBRARY (library)->driver;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&driver->mutex);

  hang_while (driver, NULL, &driver->hanging, device);
  driver->n_looks++;
  g_cond_broadcast (&driver->cond);
  if (!driver->has_samples)
    jm_gpu_report_add (report, JM_METRIC_GPU_POWER,
                       driver->n_looks % 2 != 0 ? POWER_UW : 0);
}

static void
fake_library_stop (JmGpuLibrary *library)
{
  Driver *driver = FAKE_LIBRARY (library)->driver;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&driver->mutex);

  hang_while (driver, &driver->stop_hangs, NULL, 0);
  driver->n_stops++;
}

static void
fake_library_finalize (GObject *object)
{
  Driver *driver = FAKE_LIBRARY (object)->driver;

  g_mutex_lock (&driver->mutex);
  driver->n_finalized++;
  g_cond_broadcast (&driver->cond);
  g_mutex_unlock (&driver->mutex);

  G_OBJECT_CLASS (fake_library_parent_class)->finalize (object);
}

static void
fake_library_class_init (FakeLibraryClass *klass)
{
  JmGpuLibraryClass *library_class = JM_GPU_LIBRARY_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fake_library_finalize;
  library_class->thread_name = "fake";
  library_class->load = fake_library_load;
  library_class->list = fake_library_list;
  library_class->read = fake_library_read;
  library_class->stop = fake_library_stop;
}

static void
fake_library_init (FakeLibrary *self)
{
}

/* --- a machine with that driver --- */

static Driver *
driver_new (void)
{
  Driver *self = g_new0 (Driver, 1);

  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  self->n_devices = N_DEVICES;
  self->hanging = NONE;
  self->lost = NONE;

  return self;
}

/* Has the driver do something else, whoever it keeps waiting. */
static void
tell (Driver *self, guint *what, guint value)
{
  g_mutex_lock (&self->mutex);
  *what = value;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

static void
tell_list (Driver *self, gboolean hangs)
{
  g_mutex_lock (&self->mutex);
  self->list_hangs = hangs;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

static void
await (Driver *self, const guint *figure, guint at_least)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;
  gboolean is_reached;

  g_mutex_lock (&self->mutex);
  while (*figure < at_least && g_cond_wait_until (&self->cond, &self->mutex, end_us))
    ;
  is_reached = *figure >= at_least;
  g_mutex_unlock (&self->mutex);
  g_assert_true (is_reached);
}

static guint
look (Driver *self, const guint *figure)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return *figure;
}

/* Not before those that ask it are gone, which may be some time after their end. */
static void
driver_free (Driver *self)
{
  await (self, &self->n_finalized, self->n_made);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Driver, driver_free)

static FakeLibrary *
make_library_with (Driver *driver, double interval_s, double timeout_s)
{
  FakeLibrary *self = g_object_new (FAKE_TYPE_LIBRARY, "interval", interval_s,
                                    "timeout", timeout_s, "library", "/a/lib.so", NULL);

  self->driver = driver;
  driver->n_made++;

  return self;
}

static FakeLibrary *
make_library (Driver *driver, double timeout_s)
{
  return make_library_with (driver, 0.01, timeout_s);
}

static FakeLibrary *
open_library (Driver *driver, double timeout_s)
{
  FakeLibrary *self = make_library (driver, timeout_s);
  g_autoptr (GError) error = NULL;

  g_initable_init (G_INITABLE (self), NULL, &error);
  g_assert_no_error (error);

  return self;
}

static JmGpuReport *
read_report (FakeLibrary *library)
{
  JmGpuReport *report = jm_gpu_report_new ();

  jm_gpu_mapper_read_devices (JM_GPU_MAPPER (library), report, NULL);

  return report;
}

static gboolean
is_up (JmGpuReport *report, guint device)
{
  return jm_gpu_report_find (report, device, JM_METRIC_GPU_UP)->value == 1;
}

/* Reads until the devices are as expected: a letter for each, u up, d down. */
static JmGpuReport *
await_state (FakeLibrary *library, const char *expected)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;

  for (;;)
    {
      JmGpuReport *report = read_report (library);
      g_autoptr (GString) state = g_string_new (NULL);

      for (guint i = 0; i < jm_gpu_report_get_n_devices (report); i++)
        g_string_append_c (state, is_up (report, i) ? 'u' : 'd');
      if (g_str_equal (state->str, expected))
        return report;

      jm_gpu_report_unref (report);
      if (g_get_monotonic_time () > end_us)
        g_error ("%s instead of %s", state->str, expected);
      g_usleep (1000);
    }
}

static void
assert_power (JmGpuReport *report, guint device)
{
  const JmReading *power = jm_gpu_report_find (report, device, JM_METRIC_GPU_POWER);

  g_assert_nonnull (power);
  g_assert_cmpuint (power->value, ==, POWER_UW + device);
}

/* --- situations --- */

static void
test_devices_are_read_in_order (void)
{
  g_autoptr (Driver) driver = driver_new ();
  g_autoptr (FakeLibrary) library = open_library (driver, 30);
  g_autoptr (JmGpuReport) report = await_state (library, "uuu");

  for (guint i = 0; i < N_DEVICES; i++)
    {
      g_assert_cmpuint (jm_gpu_get_index (jm_gpu_report_get_device (report, i)), ==, i);
      assert_power (report, i);
    }
}

static guint64
get_power (FakeLibrary *library)
{
  g_autoptr (JmGpuReport) report = read_report (library);
  const JmReading *power = jm_gpu_report_get_n_devices (report) > 0
                             ? jm_gpu_report_find (report, 0, JM_METRIC_GPU_POWER)
                             : NULL;

  return power != NULL ? power->value : 0;
}

static FakeLibrary *
open_looking (Driver *driver, double interval_s, double timeout_s)
{
  FakeLibrary *library = make_library_with (driver, interval_s, timeout_s);

  g_assert_true (g_initable_init (G_INITABLE (library), NULL, NULL));

  return library;
}

/* Whenever it is read it is busy, and for half of the time in truth. */
static void
test_a_reading_is_the_mean_of_what_was_seen_since_the_one_before (void)
{
  JmGpuLibraryClass *klass = g_type_class_ref (FAKE_TYPE_LIBRARY);
  g_autoptr (Driver) driver = driver_new ();
  g_autoptr (FakeLibrary) library = NULL;
  g_autoptr (JmGpuReport) hanging = NULL;

  klass->look = fake_library_look;
  driver->n_devices = 1;
  library = open_looking (driver, 1, 30);
  await (driver, &driver->n_reads, 3);
  g_assert_cmpuint (driver->n_looks, >=, 2);
  g_assert_cmpuint (get_power (library), >, POWER_UW / 4);
  g_assert_cmpuint (get_power (library), <, POWER_UW * 3 / 4);

  g_object_unref (library);
  driver->n_devices = 3;
  library = open_looking (driver, 0.2, 0.05);
  tell (driver, &driver->hanging, 1);
  hanging = await_state (library, "udu");
  tell (driver, &driver->hanging, NONE);
  jm_gpu_report_unref (await_state (library, "uuu"));
  g_clear_object (&library);
  klass->look = NULL;
  g_type_class_unref (klass);
}

static void
test_devices_whose_driver_keeps_samples_are_looked_at_no_more (void)
{
  JmGpuLibraryClass *klass = g_type_class_ref (FAKE_TYPE_LIBRARY);
  g_autoptr (Driver) driver = driver_new ();
  g_autoptr (FakeLibrary) library = NULL;

  klass->look = fake_library_look;
  driver->n_devices = 1;
  driver->has_samples = TRUE;
  library = open_looking (driver, 0.5, 30);
  await (driver, &driver->n_reads, 4);
  /* once after each reading */
  g_assert_cmpuint (driver->n_looks, >=, 2);
  g_assert_cmpuint (driver->n_looks, <=, driver->n_reads);
  g_assert_cmpuint (get_power (library), ==, POWER_UW);
  g_clear_object (&library);
  klass->look = NULL;
  g_type_class_unref (klass);
}

static void
test_a_device_that_hangs_holds_up_no_other (void)
{
  g_autoptr (Driver) driver = driver_new ();
  g_autoptr (FakeLibrary) library = open_library (driver, 0.05);
  g_autoptr (JmGpuReport) report = NULL;
  const GError *error;

  tell (driver, &driver->hanging, 1);
  report = await_state (library, "udu");
  assert_power (report, 0);
  assert_power (report, 2);
  g_assert_null (jm_gpu_report_find (report, 1, JM_METRIC_GPU_POWER));

  error = jm_gpu_report_get_error (report, 1);
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_true (g_str_has_prefix (error->message, "1: no answer since 20"));

  tell (driver, &driver->hanging, NONE);
}

static void
test_a_device_that_hangs_is_asked_no_second_time (void)
{
  g_autoptr (Driver) driver = driver_new ();
  g_autoptr (FakeLibrary) library = open_library (driver, 0.05);
  g_autoptr (JmGpuReport) report = NULL;

  tell (driver, &driver->hanging, 1);
  report = await_state (library, "udu");
  await (driver, &driver->n_reads, look (driver, &driver->n_reads) + 10);
  g_assert_cmpuint (look (driver, &driver->n_hanging), ==, 1);

  tell (driver, &driver->hanging, NONE);
}

static void
test_a_device_is_up_again_once_its_call_has_returned (void)
{
  g_autoptr (Driver) driver = driver_new ();
  g_autoptr (FakeLibrary) library = open_library (driver, 0.05);
  g_autoptr (JmGpuReport) down = NULL;
  g_autoptr (JmGpuReport) up = NULL;

  tell (driver, &driver->hanging, 1);
  down = await_state (library, "udu");
  tell (driver, &driver->hanging, NONE);
  up = await_state (library, "uuu");
  assert_power (up, 1);
}

static void
test_reading_never_waits (void)
{
  g_autoptr (Driver) driver = driver_new ();
  g_autoptr (FakeLibrary) library = open_library (driver, 30);
  gint64 began_us;

  jm_gpu_report_unref (await_state (library, "uuu"));
  tell (driver, &driver->hanging, 0);
  await (driver, &driver->n_hanging, 1);

  began_us = g_get_monotonic_time ();
  jm_gpu_report_unref (read_report (library));
  g_assert_cmpint (g_get_monotonic_time () - began_us, <, PATIENCE_US / 3);

  tell (driver, &driver->hanging, NONE);
}

static void
test_a_device_that_hangs_does_not_hold_up_the_end (void)
{
  g_autoptr (Driver) driver = driver_new ();
  FakeLibrary *library = open_library (driver, 3600);
  gint64 began_us;

  tell (driver, &driver->hanging, 1);
  await (driver, &driver->n_hanging, 1);

  began_us = g_get_monotonic_time ();
  g_object_unref (library);
  g_assert_cmpint (g_get_monotonic_time () - began_us, <, PATIENCE_US / 3);

  /* what the call uses is there until it returns, and no longer */
  g_assert_cmpuint (look (driver, &driver->n_finalized), ==, 0);
  tell (driver, &driver->hanging, NONE);
  await (driver, &driver->n_finalized, 1);
  g_assert_cmpuint (look (driver, &driver->n_stops), ==, 0);
}

static void
test_what_was_started_is_stopped (void)
{
  g_autoptr (Driver) driver = driver_new ();

  g_object_unref (open_library (driver, 30));
  g_assert_cmpuint (look (driver, &driver->n_stops), ==, 1);
  g_assert_cmpuint (look (driver, &driver->n_finalized), ==, 1);
}

static void
test_a_stop_that_hangs_does_not_hold_up_the_end (void)
{
  g_autoptr (Driver) driver = driver_new ();
  FakeLibrary *library = open_library (driver, 30);

  driver->stop_hangs = TRUE;
  g_object_unref (library);
  g_assert_cmpuint (look (driver, &driver->n_finalized), ==, 0);

  g_mutex_lock (&driver->mutex);
  driver->stop_hangs = FALSE;
  g_cond_broadcast (&driver->cond);
  g_mutex_unlock (&driver->mutex);
  await (driver, &driver->n_finalized, 1);
}

static void
test_opening_fails_with_what_the_driver_says (void)
{
  g_autoptr (GError) mismatch =
    g_error_new_literal (JM_ERROR, JM_ERROR_UNAVAILABLE, "libfake: version mismatch");
  g_autoptr (Driver) driver = driver_new ();
  g_autoptr (FakeLibrary) library = make_library (driver, 30);
  g_autoptr (GError) error = NULL;

  driver->list_error = mismatch;
  g_assert_false (g_initable_init (G_INITABLE (library), NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_cmpstr (error->message, ==, mismatch->message);
}

static void
test_one_that_failed_can_be_opened_later (void)
{
  g_autoptr (GError) mismatch =
    g_error_new_literal (JM_ERROR, JM_ERROR_UNAVAILABLE, "libfake: version mismatch");
  g_autoptr (Driver) driver = driver_new ();
  g_autoptr (FakeLibrary) library = make_library (driver, 30);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmGpuReport) report = NULL;

  driver->list_error = mismatch;
  g_assert_false (g_initable_init (G_INITABLE (library), NULL, NULL));
  driver->list_error = NULL;
  g_initable_init (G_INITABLE (library), NULL, &error);
  g_assert_no_error (error);
  report = await_state (library, "uuu");
}

static void
test_a_library_without_devices_is_absent (void)
{
  g_autoptr (Driver) driver = driver_new ();
  g_autoptr (FakeLibrary) library = make_library (driver, 30);
  g_autoptr (GError) error = NULL;

  driver->n_devices = 0;
  g_assert_false (g_initable_init (G_INITABLE (library), NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_one_that_takes_long_to_start_answers_later (void)
{
  g_autoptr (Driver) driver = driver_new ();
  g_autoptr (FakeLibrary) library = NULL;
  g_autoptr (JmGpuReport) nothing = jm_gpu_report_new ();
  g_autoptr (JmGpuReport) report = NULL;
  g_autoptr (GError) error = NULL;

  driver->list_hangs = TRUE;
  library = open_library (driver, 0.05);
  g_assert_true (jm_gpu_mapper_wait (JM_GPU_MAPPER (library), PATIENCE_US));
  g_assert_false (
    jm_gpu_mapper_read_devices (JM_GPU_MAPPER (library), nothing, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);

  tell_list (driver, FALSE);
  report = await_state (library, "uuu");
}

static void
test_a_list_that_hangs_holds_up_no_known_device (void)
{
  g_autoptr (Driver) driver = driver_new ();
  g_autoptr (FakeLibrary) library = open_library (driver, 0.05);
  g_autoptr (JmGpuReport) report = NULL;

  tell_list (driver, TRUE);
  await (driver, &driver->n_hanging, 1);
  await (driver, &driver->n_reads, look (driver, &driver->n_reads) + 10 * N_DEVICES);
  report = await_state (library, "uuu");

  tell_list (driver, FALSE);
}

static void
test_a_list_that_hangs_does_not_hold_up_the_end (void)
{
  g_autoptr (Driver) driver = driver_new ();
  FakeLibrary *library = open_library (driver, 3600);
  gint64 began_us;

  tell_list (driver, TRUE);
  await (driver, &driver->n_hanging, 1);

  began_us = g_get_monotonic_time ();
  g_object_unref (library);
  g_assert_cmpint (g_get_monotonic_time () - began_us, <, PATIENCE_US / 3);

  tell_list (driver, FALSE);
  await (driver, &driver->n_finalized, 1);
}

static void
test_a_device_that_is_lost_has_them_listed_again (void)
{
  g_autoptr (Driver) driver = driver_new ();
  g_autoptr (FakeLibrary) library = make_library_with (driver, 0.2, 30);
  g_autoptr (JmGpuReport) report = NULL;
  guint n_reads;

  driver->lost = 2;
  g_assert_true (g_initable_init (G_INITABLE (library), NULL, NULL));
  report = await_state (library, "uud");
  await (driver, &driver->n_lists, 2);

  /* once, for it does not come back by being looked for */
  n_reads = look (driver, &driver->n_reads);
  await (driver, &driver->n_reads, n_reads + 2 * N_DEVICES);
  g_assert_cmpuint (look (driver, &driver->n_lists), ==, 2);
}

static void
test_instances_that_come_later_are_found (void)
{
  g_autoptr (Driver) driver = driver_new ();
  g_autoptr (FakeLibrary) library = open_library (driver, 30);
  g_autoptr (JmGpuReport) before = await_state (library, "uuu");
  g_autoptr (JmGpuReport) after = NULL;

  g_assert_cmpuint (jm_gpu_report_get_n_devices (before), ==, N_DEVICES);
  tell (driver, &driver->n_devices, N_DEVICES + 1);
  after = await_state (library, "uuuu");
  assert_power (after, N_DEVICES);
}

static void
test_settings_are_kept (void)
{
  g_autoptr (Driver) driver = driver_new ();
  g_autoptr (FakeLibrary) library = make_library_with (driver, 7, 0.5);
  g_autofree char *path = NULL;
  double interval_s;
  double timeout_s;

  g_object_get (library, "interval", &interval_s, "timeout", &timeout_s, "library",
                &path, NULL);
  g_assert_cmpfloat (interval_s, ==, 7);
  g_assert_cmpfloat (timeout_s, ==, 0.5);
  g_assert_cmpstr (path, ==, "/a/lib.so");
  g_assert_cmpstr (jm_gpu_library_get_path (JM_GPU_LIBRARY (library)), ==, "/a/lib.so");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define SITUATION(name, function)                                                      \
 g_test_add_func ("/gpu-library/" name, test_##function)

  SITUATION ("devices-are-read-in-order", devices_are_read_in_order);
  SITUATION ("a-reading-is-the-mean-of-what-was-seen-since-the-one-before",
             a_reading_is_the_mean_of_what_was_seen_since_the_one_before);
  SITUATION ("devices-whose-driver-keeps-samples-are-looked-at-no-more",
             devices_whose_driver_keeps_samples_are_looked_at_no_more);
  SITUATION ("a-device-that-hangs-holds-up-no-other",
             a_device_that_hangs_holds_up_no_other);
  SITUATION ("a-device-that-hangs-is-asked-no-second-time",
             a_device_that_hangs_is_asked_no_second_time);
  SITUATION ("a-device-is-up-again-once-its-call-has-returned",
             a_device_is_up_again_once_its_call_has_returned);
  SITUATION ("reading-never-waits", reading_never_waits);
  SITUATION ("a-device-that-hangs-does-not-hold-up-the-end",
             a_device_that_hangs_does_not_hold_up_the_end);
  SITUATION ("what-was-started-is-stopped", what_was_started_is_stopped);
  SITUATION ("a-stop-that-hangs-does-not-hold-up-the-end",
             a_stop_that_hangs_does_not_hold_up_the_end);
  SITUATION ("opening-fails-with-what-the-driver-says",
             opening_fails_with_what_the_driver_says);
  SITUATION ("one-that-failed-can-be-opened-later",
             one_that_failed_can_be_opened_later);
  SITUATION ("a-library-without-devices-is-absent",
             a_library_without_devices_is_absent);
  SITUATION ("one-that-takes-long-to-start-answers-later",
             one_that_takes_long_to_start_answers_later);
  SITUATION ("a-list-that-hangs-holds-up-no-known-device",
             a_list_that_hangs_holds_up_no_known_device);
  SITUATION ("a-list-that-hangs-does-not-hold-up-the-end",
             a_list_that_hangs_does_not_hold_up_the_end);
  SITUATION ("a-device-that-is-lost-has-them-listed-again",
             a_device_that_is_lost_has_them_listed_again);
  SITUATION ("instances-that-come-later-are-found",
             instances_that_come_later_are_found);
  SITUATION ("settings-are-kept", settings_are_kept);

  return g_test_run ();
}
