/* jm-advice.c: what mends a source that gives no figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-source.h"

#include "host/jm-source-private.h"

/* Where drop-ins are installed, and where systemd looks for them. */
#define COPY_DROP_IN                                                                   \
 "copy %s from share/doc/jobmetrics to "                                               \
 "/etc/systemd/system/jobmetrics-exporter-node.service.d"

struct _JmAdvice
{
  GString *text;  /* of all remedies, with what to copy where */
  GString *plain; /* of all remedies */
  char *gain;
};

G_DEFINE_BOXED_TYPE (JmAdvice, jm_advice, g_atomic_rc_box_acquire, jm_advice_unref)

/**
 * jm_advice_new:
 *
 * Makes an advice without remedies.
 *
 * Returns: (transfer full): the advice
 * Since: 0.1
 */
JmAdvice *
jm_advice_new (void)
{
  JmAdvice *self = g_atomic_rc_box_new0 (JmAdvice);

  self->text = g_string_new (NULL);
  self->plain = g_string_new (NULL);

  return self;
}

static void
advice_clear (JmAdvice *self)
{
  g_string_free (self->text, TRUE);
  g_string_free (self->plain, TRUE);
  g_free (self->gain);
}

/**
 * jm_advice_unref:
 * @self: (transfer full): an advice
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_advice_unref (JmAdvice *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) advice_clear);
}

static void
append_remedy (GString *text, const char *remedy)
{
  if (text->len > 0)
    g_string_append (text, "; or ");
  g_string_append (text, remedy);
}

/**
 * jm_advice_add:
 * @self: an advice
 * @remedy: what mends it, in a few words; one that came before is the better one
 * @drop_in: (nullable): a file for the daemon's systemd unit that does so, among those
 *   that are installed
 *
 * Adds a remedy.
 *
 * Since: 0.1
 */
void
jm_advice_add (JmAdvice *self, const char *remedy, const char *drop_in)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (remedy != NULL);

  append_remedy (self->text, remedy);
  append_remedy (self->plain, remedy);
  if (drop_in != NULL)
    {
      g_string_append (self->text, ": ");
      g_string_append_printf (self->text, COPY_DROP_IN, drop_in);
    }
}

/* Sets what there is to be gained by the remedies: where another source has as much
 * already, a source that is absent is not missed. Without it, it never is. */
void
jm_advice_set_gain (JmAdvice *self, const char *gain)
{
  g_return_if_fail (self != NULL);

  g_free (self->gain);
  self->gain = g_strdup (gain);
}

/* Gets what there is to be gained, see jm_advice_set_gain().
 *
 * Returns that. */
const char *
jm_advice_get_gain (JmAdvice *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->gain;
}

/**
 * jm_advice_get_text:
 * @self: an advice
 *
 * Gets all remedies as one text for people.
 *
 * Returns: (transfer full) (nullable): the text; %NULL where there are none
 * Since: 0.1
 */
char *
jm_advice_get_text (JmAdvice *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->text->len > 0 ? g_strdup (self->text->str) : NULL;
}

char *
jm_advice_get_plain_text (JmAdvice *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->plain->len > 0 ? g_strdup (self->plain->str) : NULL;
}
