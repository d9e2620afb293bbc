/* jm-figures.c: figures of one subject, by quantity
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-figures-private.h"

#include <math.h>

#include "core/jm-figure-private.h"

/* Operands that wait for their operation: quantities.py refuses longer expressions. */
#define MAX_WAITING 4
#define MAX_STEPS 8

static const JmFigure absent = { 0, FALSE, FALSE };

typedef struct
{
  JmQuantityId quantity;
  JmFigure figure;
} Item;

/* Of Item, in the order of quantities. */
struct _JmFigures
{
  GArray *items;
};

JmFigures *
jm_figures_new (void)
{
  JmFigures *self = g_new (JmFigures, 1);

  self->items = g_array_new (FALSE, FALSE, sizeof (Item));

  return self;
}

void
jm_figures_free (JmFigures *self)
{
  g_array_unref (self->items);
  g_free (self);
}

/* Where the quantity is, or has to be put. */
static gboolean
find (const JmFigures *self, JmQuantityId quantity, guint *place)
{
  guint low = 0;
  guint high = self->items->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (self->items, Item, middle).quantity < quantity)
        low = middle + 1;
      else
        high = middle;
    }
  *place = low;

  return low < self->items->len &&
         g_array_index (self->items, Item, low).quantity == quantity;
}

JmFigure
jm_figures_get (const JmFigures *self, JmQuantityId quantity)
{
  guint place;

  return find (self, quantity, &place) ? g_array_index (self->items, Item, place).figure
                                       : absent;
}

void
jm_figures_set (JmFigures *self, JmQuantityId quantity, JmFigure figure)
{
  const Item item = { quantity, figure };
  guint place;
  gboolean is_there = find (self, quantity, &place);

  if (is_there && !figure.is_known)
    g_array_remove_index (self->items, place);
  else if (is_there)
    g_array_index (self->items, Item, place) = item;
  else if (figure.is_known)
    g_array_insert_val (self->items, place, item);
}

/* --- what follows from others --- */

typedef enum
{
  OPERATION_QUANTITY,
  OPERATION_SUM,
  OPERATION_SUM_OF_KNOWN,
  OPERATION_DIFFERENCE,
  OPERATION_INTERVAL,
  OPERATION_PRODUCT,
  OPERATION_RATIO,
  OPERATION_SHARE,
  OPERATION_PART,
} Operation;

typedef struct
{
  Operation operation;
  JmQuantityId quantity; /* of OPERATION_QUANTITY */
} Step;

/* An expression: operands stand before their operation. */
typedef struct
{
  JmQuantityId quantity;
  gboolean is_joined; /* of a run it is made of its nodes' figures */
  guint n_steps;
  Step steps[MAX_STEPS];
} Derivation;

/* What is derived stands behind what it is derived from. */
static const Derivation derivations[] = {
#include "core/jm-derivations.inc"
};

static double
calculate (Operation operation, double a, double b)
{
  switch (operation)
    {
    case OPERATION_DIFFERENCE:
    case OPERATION_INTERVAL:
      return MAX (a - b, 0);
    case OPERATION_PRODUCT:
      return a * b;
    case OPERATION_RATIO:
      return a / b;
    case OPERATION_SHARE:
      return 100 * a / b;
    case OPERATION_PART:
      return MIN (100 * a / b, 100);
    case OPERATION_SUM:
    case OPERATION_SUM_OF_KNOWN:
    case OPERATION_QUANTITY:
    default:
      return a + b;
    }
}

static JmFigure
operate (Operation operation, JmFigure a, JmFigure b)
{
  const gboolean divides = operation == OPERATION_RATIO ||
                           operation == OPERATION_SHARE || operation == OPERATION_PART;
  double value;

  if (operation == OPERATION_SUM_OF_KNOWN)
    return jm_figure_add (a, b);
  if (!a.is_known || !b.is_known || (divides && b.value <= 0) ||
      (operation == OPERATION_INTERVAL && a.value < b.value))
    return absent;

  value = calculate (operation, a.value, b.value);

  return (JmFigure){ isfinite (value) ? value : 0, isfinite (value),
                     isfinite (value) && (a.is_estimated || b.is_estimated) };
}

JmFigure
jm_figures_multiply (JmFigure a, JmFigure b)
{
  return operate (OPERATION_PRODUCT, a, b);
}

JmFigure
jm_figures_divide (JmFigure a, JmFigure b)
{
  return operate (OPERATION_RATIO, a, b);
}

JmFigure
jm_figures_get_part (JmFigure a, JmFigure b)
{
  return operate (OPERATION_PART, a, b);
}

static JmFigure
evaluate (const Derivation *derivation, JmFigureFunc get, gpointer data)
{
  JmFigure waiting[MAX_WAITING] = { { 0 } };
  guint n = 0;

  for (guint i = 0; i < derivation->n_steps; i++)
    {
      const Step *step = &derivation->steps[i];

      if (step->operation == OPERATION_QUANTITY)
        waiting[n++] = get (step->quantity, data);
      else
        {
          n--;
          waiting[n - 1] = operate (step->operation, waiting[n - 1], waiting[n]);
        }
    }

  return waiting[0];
}

typedef struct
{
  const JmFigures *figures;
  JmSnapshot *snapshot; /* NULL for none */
  guint subject;
} Operands;

static JmFigure
get_operand (JmQuantityId quantity, gpointer data)
{
  const Operands *self = data;
  JmFigure figure = jm_figures_get (self->figures, quantity);

  if (!figure.is_known && self->snapshot != NULL && (guint) quantity < JM_N_METRICS)
    return jm_figure_of_metric (self->snapshot, self->subject, (JmMetric) quantity);

  return figure;
}

static void
derive (JmFigures *self, JmSnapshot *snapshot, guint subject, gboolean is_run)
{
  Operands operands = { self, snapshot, subject };

  for (guint i = 0; i < G_N_ELEMENTS (derivations); i++)
    if (!(is_run && derivations[i].is_joined) &&
        !jm_figures_get (self, derivations[i].quantity).is_known)
      jm_figures_set (self, derivations[i].quantity,
                      evaluate (&derivations[i], get_operand, &operands));
}

void
jm_figures_derive (JmFigures *self, JmSnapshot *snapshot, guint subject)
{
  derive (self, snapshot, subject, FALSE);
}

void
jm_figures_derive_run (JmFigures *self)
{
  derive (self, NULL, 0, TRUE);
}

/* --- one that follows, without the others --- */

typedef struct
{
  JmFigureFunc get;
  gpointer data;
} Known;

static JmFigure
get_or_follow (JmQuantityId quantity, gpointer data)
{
  const Known *known = data;
  JmFigure figure = known->get (quantity, known->data);

  return figure.is_known ? figure
                         : jm_figures_follow (quantity, known->get, known->data);
}

JmFigure
jm_figures_follow (JmQuantityId quantity, JmFigureFunc get, gpointer data)
{
  Known known = { get, data };

  for (guint i = 0; i < G_N_ELEMENTS (derivations); i++)
    if (derivations[i].quantity == quantity && !derivations[i].is_joined)
      return evaluate (&derivations[i], get_or_follow, &known);

  return absent;
}
