/* jm-cpu-model.c: what processors a machine has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-cpu-model-private.h"

#include <string.h>

#include "base/jm-parse-private.h"

#define PROC_CPUINFO "/proc/cpuinfo"
#define CPUINFO_MAX (64 * 1024 * 1024)

static JmSlice
trim (const char *start, const char *end)
{
  while (start < end && g_ascii_isspace (*start))
    start++;
  while (end > start && g_ascii_isspace (end[-1]))
    end--;

  return (JmSlice){ start, (gsize) (end - start) };
}

/* Decimal, or hexadecimal after 0x. */
static int
read_number (JmSlice value)
{
  char text[16];
  guint64 number;
  gboolean is_hex;

  if (value.length >= sizeof text)
    return JM_CPU_UNKNOWN;

  memcpy (text, value.text, value.length);
  text[value.length] = '\0';
  is_hex = g_str_has_prefix (text, "0x");
  if (!g_ascii_string_to_unsigned (is_hex ? text + 2 : text, is_hex ? 16 : 10, 0,
                                   G_MAXINT, &number, NULL))
    return JM_CPU_UNKNOWN;

  return (int) number;
}

static void
take_vendor (JmCpuModel *self, JmSlice value)
{
  gsize length = MIN (value.length, sizeof self->vendor - 1);

  memcpy (self->vendor, value.text, length);
  self->vendor[length] = '\0';
}

static gboolean
has_word (JmSlice value, const char *wanted)
{
  const char *cursor = value.text;
  JmSlice word;

  while (jm_parse_next_word (&cursor, value.text + value.length, &word))
    if (jm_slice_equal (word, wanted))
      return TRUE;

  return FALSE;
}

static void
take (JmCpuModel *self, JmSlice key, JmSlice value)
{
  if (jm_slice_equal (key, "vendor_id") || jm_slice_equal (key, "CPU implementer"))
    take_vendor (self, value);
  else if (jm_slice_equal (key, "cpu family"))
    self->family = read_number (value);
  else if (jm_slice_equal (key, "model") || jm_slice_equal (key, "CPU part"))
    self->model = read_number (value);
  else if (jm_slice_equal (key, "flags"))
    self->is_virtual = has_word (value, "hypervisor");
}

void
jm_cpu_model_parse (JmCpuModel *self, const char *text, gsize length)
{
  const char *cursor = text;
  JmSlice line;

  *self = (JmCpuModel){ .family = JM_CPU_UNKNOWN, .model = JM_CPU_UNKNOWN };
  while (jm_parse_next_line (&cursor, text + length, &line) && line.length > 0)
    {
      const char *end = line.text + line.length;
      const char *colon = memchr (line.text, ':', line.length);

      if (colon != NULL)
        take (self, trim (line.text, colon), trim (colon + 1, end));
    }
}

void
jm_cpu_model_read (JmCpuModel *self, JmHost *host)
{
  gsize length = 0;
  g_autofree char *text =
    jm_host_read_all (host, PROC_CPUINFO, CPUINFO_MAX, &length, NULL);

  jm_cpu_model_parse (self, text != NULL ? text : "", length);
}

gboolean
jm_cpu_may_have_rapl (JmHost *host)
{
  JmCpuModel model;

  jm_cpu_model_read (&model, host);

  return !model.is_virtual && (g_str_equal (model.vendor, "AuthenticAMD") ||
                               g_str_equal (model.vendor, "GenuineIntel"));
}
