/* jmc-emission-answer.h: what an emission provider has answered
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-emission-factor.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

/* JmcEmissionAnswer:
 * @specification: who was asked, as it was typed
 * @factor: the factor, or NULL
 * @error: why there is none, or NULL */
typedef struct
{
  char *specification;
  JmEmissionFactor *factor;
  GError *error;
} JmcEmissionAnswer;

JmcEmissionAnswer *jmc_emission_answer_get (const char *specification, JmHost *host);
void jmc_emission_answer_free (JmcEmissionAnswer *self);

void
jmc_emission_answer_append_page (GString *text, GPtrArray *answers, gboolean color);
void jmc_emission_answer_append_json (GString *text, GPtrArray *answers);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcEmissionAnswer, jmc_emission_answer_free)

G_END_DECLS
