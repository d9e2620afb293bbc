/* fake-bmc.h: a BMC behind a device that is none
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "sources/power/jm-power-types-private.h"

#define FAKE_BMC_ANSWER_MAX 64

typedef enum
{
  FAKE_BMC_ANSWERS,
  FAKE_BMC_HANGS,         /* says nothing, but remembers what it was asked */
  FAKE_BMC_STRAYS,        /* answers what nobody asked, for ever */
  FAKE_BMC_OTHER_COMMAND, /* answers another command under our number */
  FAKE_BMC_EVENT_FIRST,   /* an event comes before the answer */
  FAKE_BMC_NO_MESSAGE,    /* is ready, and the first time has nothing after all */
} FakeBmcWay;

typedef struct
{
  JmIpmiCalls calls;

  GMutex mutex; /* guards what follows */
  FakeBmcWay way;
  int open_result; /* a negative errno, or 0 */
  int ioctl_result;
  guint8 answer[FAKE_BMC_ANSWER_MAX];
  gsize answer_length;
  guint n_opened;
  guint n_closed;
  guint n_questions;
  GQueue messages; /* of Message */
} FakeBmc;

FakeBmc *fake_bmc_new (void);
void fake_bmc_free (FakeBmc *self);

/* The bytes of a good answer, as the specification has them. */
void fake_bmc_set_watts (FakeBmc *self, guint watts);
void fake_bmc_set_answer (FakeBmc *self, const guint8 *bytes, gsize length);
void fake_bmc_set_byte (FakeBmc *self, guint at, guint8 byte);
void fake_bmc_set_way (FakeBmc *self, FakeBmcWay way);
guint fake_bmc_get_n_questions (FakeBmc *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeBmc, fake_bmc_free)
