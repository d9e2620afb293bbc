/* jm-collector-set.c: some of the collectors
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-collector-set-private.h"

#include "base/jm-error.h"
#include "core/jm-metric-private.h"

#define N_WORDS G_N_ELEMENTS (((JmCollectorSet *) NULL)->words)
#define WORD(collector) ((collector) / 64)
#define BIT(collector) (G_GUINT64_CONSTANT (1) << ((collector) % 64))

G_STATIC_ASSERT (JM_N_COLLECTORS < 64);

static const JmCollectorSet all = { { BIT (JM_N_COLLECTORS) - 1 } };
static const JmCollectorSet of_node = { { BIT (JM_N_NODE_COLLECTORS) - 1 } };

G_DEFINE_BOXED_TYPE (JmCollectorSet,
                     jm_collector_set,
                     jm_collector_set_copy,
                     jm_collector_set_free)

/**
 * jm_collector_set_new:
 *
 * Makes a set of no collector.
 *
 * Returns: (transfer full): the set
 * Since: 0.1
 */
JmCollectorSet *
jm_collector_set_new (void)
{
  return g_new0 (JmCollectorSet, 1);
}

/**
 * jm_collector_set_get_all: (skip)
 *
 * Gets the set of all collectors.
 *
 * Returns: (transfer none): the set, which is static
 * Since: 0.1
 */
const JmCollectorSet *
jm_collector_set_get_all (void)
{
  return &all;
}

/* Gets the set of all collectors of a node.
 *
 * Returns the set, which is static. */
const JmCollectorSet *
jm_collector_set_get_of_node (void)
{
  return &of_node;
}

/**
 * jm_collector_set_new_usual:
 *
 * Makes a set of the collectors that work unless they are turned off.
 *
 * Returns: (transfer full): the set
 * Since: 0.1
 */
JmCollectorSet *
jm_collector_set_new_usual (void)
{
  JmCollectorSet *self = jm_collector_set_new ();

  for (JmCollector i = 0; i < JM_N_COLLECTORS; i++)
    if (jm_collector_is_usual (i))
      jm_collector_set_add (self, i);

  return self;
}

/* Removes all that are not in the other. */
void
jm_collector_set_intersect (JmCollectorSet *self, const JmCollectorSet *other)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (other != NULL);

  for (gsize i = 0; i < N_WORDS; i++)
    self->words[i] &= other->words[i];
}

/**
 * jm_collector_set_copy:
 * @self: a set
 *
 * Copies a set.
 *
 * Returns: (transfer full): another set of the same collectors
 * Since: 0.1
 */
JmCollectorSet *
jm_collector_set_copy (const JmCollectorSet *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_memdup2 (self, sizeof *self);
}

/**
 * jm_collector_set_free:
 * @self: (transfer full): a set
 *
 * Frees a set.
 *
 * Since: 0.1
 */
void
jm_collector_set_free (JmCollectorSet *self)
{
  g_free (self);
}

/**
 * jm_collector_set_fill: (skip)
 * @self: a set
 * @collectors: (array length=n_collectors): collectors
 * @n_collectors: how many
 *
 * Adds collectors; %JM_COLLECTOR_SET() is shorter.
 *
 * Returns: (transfer none): @self
 * Since: 0.1
 */
const JmCollectorSet *
jm_collector_set_fill (JmCollectorSet *self,
                       const JmCollector *collectors,
                       gsize n_collectors)
{
  for (gsize i = 0; i < n_collectors; i++)
    jm_collector_set_add (self, collectors[i]);

  return self;
}

/**
 * jm_collector_set_add:
 * @self: a set
 * @collector: a collector
 *
 * Adds a collector, if it is not in the set.
 *
 * Since: 0.1
 */
void
jm_collector_set_add (JmCollectorSet *self, JmCollector collector)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail ((guint) collector < JM_N_COLLECTORS);

  self->words[WORD (collector)] |= BIT (collector);
}

/**
 * jm_collector_set_add_names:
 * @self: a set
 * @names: (array zero-terminated=1): names, such as `memory.stat`
 * @error: return location for an error
 *
 * Adds collectors by their names.
 *
 * - Errors: %JM_ERROR_INVALID, quoting a name that is no collector's; those before it
 *   are in the set.
 *
 * Returns: whether all are names of collectors
 * Since: 0.1
 */
gboolean
jm_collector_set_add_names (JmCollectorSet *self,
                            const char *const *names,
                            GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (names != NULL, FALSE);

  for (; *names != NULL; names++)
    {
      JmCollector collector;

      if (!jm_collector_from_name (*names, &collector))
        {
          g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "no such collector: %s",
                       *names);
          return FALSE;
        }
      jm_collector_set_add (self, collector);
    }

  return TRUE;
}

/* Adds all that are in the other. */
void
jm_collector_set_unite (JmCollectorSet *self, const JmCollectorSet *other)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (other != NULL);

  for (gsize i = 0; i < N_WORDS; i++)
    self->words[i] |= other->words[i];
}

/**
 * jm_collector_set_subtract:
 * @self: a set
 * @other: another
 *
 * Removes all that are in the other.
 *
 * Since: 0.1
 */
void
jm_collector_set_subtract (JmCollectorSet *self, const JmCollectorSet *other)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (other != NULL);

  for (gsize i = 0; i < N_WORDS; i++)
    self->words[i] &= ~other->words[i];
}

/**
 * jm_collector_set_has:
 * @self: a set
 * @collector: a collector
 *
 * Whether a collector is in the set.
 *
 * Returns: %TRUE if it is
 * Since: 0.1
 */
gboolean
jm_collector_set_has (const JmCollectorSet *self, JmCollector collector)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail ((guint) collector < JM_N_COLLECTORS, FALSE);

  return (self->words[WORD (collector)] & BIT (collector)) != 0;
}

/**
 * jm_collector_set_is_empty:
 * @self: a set
 *
 * Whether no collector is in the set.
 *
 * Returns: %TRUE if none is
 * Since: 0.1
 */
gboolean
jm_collector_set_is_empty (const JmCollectorSet *self)
{
  const JmCollectorSet none = { { 0 } };

  return jm_collector_set_equal (self, &none);
}

/**
 * jm_collector_set_equal:
 * @self: a set
 * @other: another
 *
 * Whether the same collectors are in both.
 *
 * Returns: %TRUE if they are
 * Since: 0.1
 */
gboolean
jm_collector_set_equal (const JmCollectorSet *self, const JmCollectorSet *other)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (other != NULL, FALSE);

  for (gsize i = 0; i < N_WORDS; i++)
    if (self->words[i] != other->words[i])
      return FALSE;

  return TRUE;
}
