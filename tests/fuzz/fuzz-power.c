/* fuzz-power.c: what a BMC answers, programs print and meters write, in any shape
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/power/jm-dcmi-private.h"
#include "sources/power/jm-power-meter-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
assert_told (gboolean is_told, guint watts, const GError *error)
{
  g_assert_cmpint (is_told, ==, error == NULL);
  g_assert_cmpint (is_told, ==, watts > 0);
  g_assert_cmpuint (watts, <, 0xffff);
}

static void
try_dcmi (const guint8 *data, gsize size)
{
  g_autoptr (GError) error_of_bytes = NULL;
  g_autoptr (GError) error_of_text = NULL;
  JmDcmiReading reading = { 0 };
  gboolean is_told = jm_dcmi_parse_power (data, size, "bmc", &reading, &error_of_bytes);

  assert_told (is_told, reading.watts, error_of_bytes);

  is_told =
    jm_dcmi_parse_text ((const char *) data, size, "tool", &reading, &error_of_text);
  assert_told (is_told, reading.watts, error_of_text);
}

static void
try_lines (const char *text, gsize size, const char *unit)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (JmPowerLine));
  g_autoptr (GError) error = NULL;
  const JmPowerUnit *known =
    unit != NULL ? jm_power_unit_find ((JmSlice){ unit, strlen (unit) }) : NULL;

  if (!jm_power_lines_parse (text, size, "node", known, "file", lines, &error))
    {
      g_assert_nonnull (error);
      return;
    }

  g_assert_cmpuint (lines->len, >, 0);
  g_assert_cmpuint (lines->len, <=, JM_POWER_LINES_MAX);
  for (guint i = 0; i < lines->len; i++)
    g_assert_true (
      jm_power_domain_name_is_valid (g_array_index (lines, JmPowerLine, i).domain));
}

static void
take (JmPowerMeter *meter, const char *text, gsize size, gint64 now_us)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmPowerAnswer) answer =
    jm_power_meter_take (meter, text, size, now_us, &error);

  g_assert_cmpint (answer == NULL, ==, error != NULL);
}

/* As if the first half were what it wrote first. */
static void
try_meter (const char *text, gsize size)
{
  const JmPowerMeterSettings settings = { NULL, "J", "1e9" };
  g_autoptr (JmPowerMeter) meter = jm_power_meter_new (&settings, "file", NULL);

  take (meter, text, size / 2, 0);
  take (meter, text + size / 2, size - size / 2, 1000000);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const char *text = (const char *) data;

  try_dcmi (data, size);
  try_lines (text, size, NULL);
  try_lines (text, size, "kWh");
  try_meter (text, size);

  return 0;
}
