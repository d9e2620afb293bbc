/* jme-page-form.h: what is chosen on a page, and the links that keep it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-answer.h"
#include "server/jme-archive-query.h"

G_BEGIN_DECLS

/* What can be chosen. */
typedef enum
{
  JME_FORM_PERIOD = 1 << 0,
  JME_FORM_CLUSTER = 1 << 1,
  JME_FORM_RUNS = 1 << 2, /* state, partition, account, order */
  JME_FORM_USER = 1 << 3,
} JmeFormFields;

/* A value of a key, and its words. */
typedef struct
{
  const char *value;
  const char *text;
} JmeFormChoice;

/* A form with what was chosen, which asks the same page.
 *
 * - Errors: those of the store, which is asked what there is to choose from. */
gboolean jme_form_append (JmeAnswer *answer, guint fields, GError **error);

/* The same with the key `group`. */
gboolean jme_form_append_with_groups (JmeAnswer *answer,
                                      guint fields,
                                      const JmeFormChoice *groups,
                                      guint n_groups,
                                      GError **error);

/* `?...` as text of an attribute: what the request chose, with another @key, which may be
 * NULL; the place in a list is left out, and with another begin the end of the period.
 */
void jme_form_append_query (GString *out,
                            JmeRequest *request,
                            const char *key,
                            const char *value);

/* Whether the request chose some of all runs. */
gboolean jme_form_is_narrow (JmeRequest *request);

/* A form to choose another part of the time of plots. */
void jme_form_append_zoom (JmeAnswer *answer, const JmeArchiveQuery *query);

/* What was chosen of a key; NULL where nothing was. */
char *jme_form_get_value (JmeRequest *request, const char *key);

G_END_DECLS
