/* jmc-field.h: whatever is known of a job, by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"
#include "jmc-figure.h"

G_BEGIN_DECLS

/* JmcField:
 *
 * A column, a sort key, one side of a comparison: a field of the job (JmJobField), a
 * metric of jobs, or what follows from these, such as the age. Numbered from 0 on. */
typedef guint JmcField;

/* JmcFieldKind:
 * @JMC_FIELD_TEXT: words; the others are figures
 * @JMC_FIELD_COUNT: things
 * @JMC_FIELD_BYTES: bytes
 * @JMC_FIELD_SECONDS: a length of time
 * @JMC_FIELD_PERCENT: a share
 * @JMC_FIELD_JOULES: energy
 * @JMC_FIELD_WATTS: power
 * @JMC_FIELD_GRAMS: CO2 equivalent
 * @JMC_FIELD_MOMENT: seconds since 1970 */
typedef enum
{
  JMC_FIELD_TEXT,
  JMC_FIELD_COUNT,
  JMC_FIELD_BYTES,
  JMC_FIELD_SECONDS,
  JMC_FIELD_PERCENT,
  JMC_FIELD_JOULES,
  JMC_FIELD_WATTS,
  JMC_FIELD_GRAMS,
  JMC_FIELD_MOMENT,
} JmcFieldKind;

guint jmc_field_get_n (void);
gboolean jmc_field_is_of_job (JmcField field);
gboolean jmc_field_from_name (const char *name, JmcField *field);
const char *jmc_field_get_name (JmcField field);
const char *jmc_field_get_short_name (JmcField field);
const char *jmc_field_get_help (JmcField field);
char *jmc_field_make_title (JmcField field);
JmcFieldKind jmc_field_get_kind (JmcField field);
guint jmc_field_get_collectors (JmcField field);

JmcFigure jmc_field_get_figure (JmcField field, JmSnapshot *snapshot, guint subject);
char *jmc_field_get_text (JmcField field, JmSnapshot *snapshot, guint subject);
gboolean jmc_field_is_estimated (JmcField field, JmSnapshot *snapshot, guint subject);
gboolean jmc_field_is_known (JmcField field, JmSnapshot *snapshot, guint subject);
char *jmc_field_format (JmcField field, JmSnapshot *snapshot, guint subject);
char *jmc_field_format_plain (JmcField field, JmSnapshot *snapshot, guint subject);
int jmc_field_compare (JmcField field,
                       JmSnapshot *snapshot,
                       guint a,
                       guint b,
                       gboolean descending);

G_END_DECLS
