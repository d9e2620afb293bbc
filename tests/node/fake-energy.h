/* fake-energy.h: a meter and a provider that a test reads from
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "sources/emissions/jm-emission-provider.h"
#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

#define FAKE_TYPE_METER (fake_meter_get_type ())
G_DECLARE_FINAL_TYPE (FakeMeter, fake_meter, FAKE, METER, JmSource)

FakeMeter *fake_meter_new (JmHost *host);
void fake_meter_set_energy (FakeMeter *self, const char *domain, guint64 energy_uj);
void fake_meter_set_power (FakeMeter *self, const char *domain, guint64 power_uw);

/* A domain that it has no more. */
void fake_meter_lose (FakeMeter *self, const char *domain);

/* What it cannot read from here on; NULL: it can again. */
void fake_meter_fail (FakeMeter *self, const char *reason);
void fake_meter_be_an_estimate (FakeMeter *self);
/* As one that is asked in the background. */
void fake_meter_set_age (FakeMeter *self, guint64 age_us);

#define FAKE_TYPE_PROVIDER (fake_provider_get_type ())
G_DECLARE_FINAL_TYPE (FakeProvider, fake_provider, FAKE, PROVIDER, JmSource)

FakeProvider *
fake_provider_new (JmHost *host, double grams_per_kwh, JmEmissionMethod method);

G_END_DECLS
