/* jm-dcmi.c: what a BMC says of a node's power
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-dcmi-private.h"

#include "base/jm-error.h"
#include "sources/power/jm-power-bound-private.h"

#define ANSWER_LENGTH 19
#define WATTS_OFFSET 2
#define STATISTICS_OFFSET 4 /* minimum, maximum, average */
#define STATE_OFFSET 18
#define STATE_ACTIVE (1u << 6)

#define UW_PER_WATT G_GUINT64_CONSTANT (1000000)
#define MAX_WATTS G_MAXUINT32 /* beyond it nothing is reckoned */

typedef struct
{
  guint8 code;
  JmError error;
  const char *meaning;
} Completion;

/* Table 5-2 of the IPMI 2.0 specification: those that a power reading may meet. */
static const Completion completions[] = {
  { 0xc0, JM_ERROR_UNAVAILABLE, "the BMC is busy" },
  { 0xc1, JM_ERROR_ABSENT, "the BMC does not know the command: it has no DCMI" },
  { 0xc2, JM_ERROR_ABSENT, "the BMC does not know the command for this LUN" },
  { 0xc3, JM_ERROR_UNAVAILABLE, "the BMC did not answer in time" },
  { 0xc4, JM_ERROR_UNAVAILABLE, "the BMC is out of memory" },
  { 0xc6, JM_ERROR_UNAVAILABLE, "the BMC has cut the request" },
  { 0xc7, JM_ERROR_ABSENT, "the BMC expects a request of another length" },
  { 0xc9, JM_ERROR_ABSENT, "the BMC does not take the request's parameters" },
  { 0xcb, JM_ERROR_ABSENT, "the BMC has no sensor for it" },
  { 0xcc, JM_ERROR_ABSENT, "the BMC does not measure the power of the system" },
  { 0xce, JM_ERROR_UNAVAILABLE, "the BMC could not answer" },
  { 0xd1, JM_ERROR_UNAVAILABLE, "the BMC's firmware is being updated" },
  { 0xd2, JM_ERROR_UNAVAILABLE, "the BMC is starting" },
  { 0xd3, JM_ERROR_UNAVAILABLE, "the BMC cannot reach who should answer" },
  { 0xd4, JM_ERROR_DENIED, "the BMC wants a higher privilege" },
  { 0xd5, JM_ERROR_UNAVAILABLE, "the BMC cannot do that in its present state" },
  { 0xd6, JM_ERROR_ABSENT, "the BMC has this command switched off" },
  { 0xff, JM_ERROR_UNAVAILABLE, "the BMC gives no reason" },
};

static gboolean
check_completion (guint8 code, const char *what, GError **error)
{
  const Completion *found = NULL;

  if (code == 0)
    return TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (completions); i++)
    if (completions[i].code == code)
      found = &completions[i];
  g_set_error (error, JM_ERROR,
               found != NULL ? (int) found->error : JM_ERROR_UNAVAILABLE,
               "%s: Get Power Reading: completion code %02Xh: %s", what, code,
               found != NULL ? found->meaning : "of no standard meaning");

  return FALSE;
}

gboolean
jm_dcmi_check_watts (guint64 watts, const char *what, GError **error)
{
  if (watts > 0 && watts <= MAX_WATTS &&
      jm_power_is_possible ("node", watts * UW_PER_WATT))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "%s: %" G_GUINT64_FORMAT " Watts is no reading", what, watts);
  return FALSE;
}

void
jm_dcmi_reading_note (JmDcmiReading *self, JmDcmiStatistic statistic, guint64 watts)
{
  if (jm_dcmi_check_watts (watts, "", NULL))
    self->statistics[statistic] = (guint) watts;
}

static guint
get_watts (const guint8 *bytes, guint offset)
{
  return (guint) bytes[offset] | (guint) bytes[offset + 1] << 8;
}

static gboolean
check_form (const guint8 *bytes, gsize length, const char *what, GError **error)
{
  if (length < ANSWER_LENGTH)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                   "%s: Get Power Reading: %" G_GSIZE_FORMAT
                   " bytes, where an answer has %d",
                   what, length, ANSWER_LENGTH);
      return FALSE;
    }
  if (bytes[1] != JM_DCMI_GROUP)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                   "%s: Get Power Reading: group %02Xh, where DCMI's is DCh", what,
                   bytes[1]);
      return FALSE;
    }

  return TRUE;
}

gboolean
jm_dcmi_parse_power (const guint8 *bytes,
                     gsize length,
                     const char *what,
                     JmDcmiReading *reading,
                     GError **error)
{
  guint now;

  *reading = (JmDcmiReading){ 0 };
  if (length > 0 && !check_completion (bytes[0], what, error))
    return FALSE;
  if (!check_form (bytes, length, what, error))
    return FALSE;

  if ((bytes[STATE_OFFSET] & STATE_ACTIVE) == 0)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                   "%s: the BMC's power measurement is not active", what);
      return FALSE;
    }

  now = get_watts (bytes, WATTS_OFFSET);
  if (!jm_dcmi_check_watts (now, what, error))
    return FALSE;

  reading->watts = now;
  for (guint i = 0; i < JM_N_DCMI_STATISTICS; i++)
    jm_dcmi_reading_note (reading, i, get_watts (bytes, STATISTICS_OFFSET + 2 * i));
  return TRUE;
}
