/* jm-source.c: anything on a host that can be asked
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-source-private.h"

#define FIELD_FLAGS                                                                    \
 (G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS)
/* A field is found by its property, not by the number. */
#define FIELD_ID 1

/**
 * JmSource:
 *
 * Anything on a host that can be asked: the abstract class of all sources. It owns the
 * host, and opens the source when it is initialised, so that an object which you hold
 * is open and works.
 *
 * Since: 0.1
 */
typedef struct
{
  JmHost *host;
  gboolean is_open;
  GError *error; /* why it gave no figures when it was asked last, or NULL */
} JmSourcePrivate;

static void initable_iface_init (GInitableIface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (JmSource,
                                  jm_source,
                                  G_TYPE_OBJECT,
                                  G_ADD_PRIVATE (JmSource)
                                    G_IMPLEMENT_INTERFACE (G_TYPE_INITABLE,
                                                           initable_iface_init))

static gboolean
jm_source_initable_init (GInitable *initable, GCancellable *cancellable, GError **error)
{
  JmSource *self = JM_SOURCE (initable);
  JmSourcePrivate *priv = jm_source_get_instance_private (self);
  JmSourceClass *klass = JM_SOURCE_GET_CLASS (self);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;

  /* A binding may do so as well as the program that uses it. */
  if (priv->is_open)
    return TRUE;

  g_clear_error (&priv->error);
  priv->is_open = klass->open == NULL || klass->open (self, &priv->error);
  if (!priv->is_open && priv->error != NULL && error != NULL)
    *error = g_error_copy (priv->error);

  return priv->is_open;
}

static void
initable_iface_init (GInitableIface *iface)
{
  iface->init = jm_source_initable_init;
}

static void
jm_source_constructed (GObject *object)
{
  JmSourcePrivate *priv = jm_source_get_instance_private (JM_SOURCE (object));

  G_OBJECT_CLASS (jm_source_parent_class)->constructed (object);

  if (priv->host == NULL)
    priv->host = jm_host_new (NULL);
}

/* --- properties that are fields --- */

/* By which a property knows where its field is. */
static GQuark
offset_quark (void)
{
  return g_quark_from_static_string ("jm-source-offset");
}

/* 0 where a class keeps the property in a way of its own. */
static gsize
get_offset (GParamSpec *pspec)
{
  return GPOINTER_TO_SIZE (g_param_spec_get_qdata (pspec, offset_quark ()));
}

static void
get_field (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  gpointer field = G_STRUCT_MEMBER_P (object, get_offset (pspec));

  switch (G_TYPE_FUNDAMENTAL (pspec->value_type))
    {
    case G_TYPE_STRING:
      g_value_set_string (value, *(char **) field);
      break;
    case G_TYPE_UINT:
      g_value_set_uint (value, *(guint *) field);
      break;
    case G_TYPE_DOUBLE:
      g_value_set_double (value, *(double *) field);
      break;
    case G_TYPE_BOXED:
      g_value_set_boxed (value, *(gpointer *) field);
      break;
    case G_TYPE_OBJECT:
      g_value_set_object (value, *(gpointer *) field);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

/* Once: fields are set when the source is made. */
static void
set_field (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  gpointer field = G_STRUCT_MEMBER_P (object, get_offset (pspec));

  switch (G_TYPE_FUNDAMENTAL (pspec->value_type))
    {
    case G_TYPE_STRING:
      *(char **) field = g_value_dup_string (value);
      break;
    case G_TYPE_UINT:
      *(guint *) field = g_value_get_uint (value);
      break;
    case G_TYPE_DOUBLE:
      *(double *) field = g_value_get_double (value);
      break;
    case G_TYPE_BOXED:
      *(gpointer *) field = g_value_dup_boxed (value);
      break;
    case G_TYPE_OBJECT:
      *(gpointer *) field = g_value_dup_object (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
free_field (gpointer *field, GType type)
{
  if (type == G_TYPE_STRING)
    g_free (*field);
  else if (G_TYPE_IS_BOXED (type) && *field != NULL)
    g_boxed_free (type, *field);
  else if (G_TYPE_IS_OBJECT (type))
    g_clear_object (field);
}

/* A class does not inherit the functions that give and set its properties. */
static void
add_property (GObjectClass *klass, gsize offset, GParamSpec *pspec)
{
  klass->get_property = get_field;
  klass->set_property = set_field;
  g_param_spec_set_qdata (pspec, offset_quark (), GSIZE_TO_POINTER (offset));
  g_object_class_install_property (klass, FIELD_ID, pspec);
}

void
jm_source_class_add_text (GObjectClass *klass,
                          const char *name,
                          gsize offset,
                          const char *default_text)
{
  add_property (klass, offset,
                g_param_spec_string (name, NULL, NULL, default_text, FIELD_FLAGS));
}

void
jm_source_class_add_uint (GObjectClass *klass,
                          const char *name,
                          gsize offset,
                          guint min,
                          guint max,
                          guint default_value)
{
  add_property (klass, offset,
                g_param_spec_uint (name, NULL, NULL, min, max, default_value,
                                   FIELD_FLAGS));
}

void
jm_source_class_add_double (GObjectClass *klass,
                            const char *name,
                            gsize offset,
                            double min,
                            double max,
                            double default_value)
{
  add_property (klass, offset,
                g_param_spec_double (name, NULL, NULL, min, max, default_value,
                                     FIELD_FLAGS));
}

void
jm_source_class_add_boxed (GObjectClass *klass,
                           const char *name,
                           gsize offset,
                           GType type)
{
  add_property (klass, offset,
                g_param_spec_boxed (name, NULL, NULL, type, FIELD_FLAGS));
}

static void
jm_source_finalize (GObject *object)
{
  JmSourcePrivate *priv = jm_source_get_instance_private (JM_SOURCE (object));
  guint n;
  g_autofree GParamSpec **pspecs =
    g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);

  for (guint i = 0; i < n; i++)
    if (get_offset (pspecs[i]) > 0)
      free_field (G_STRUCT_MEMBER_P (object, get_offset (pspecs[i])),
                  pspecs[i]->value_type);
  g_clear_error (&priv->error);

  G_OBJECT_CLASS (jm_source_parent_class)->finalize (object);
}

static void
jm_source_class_init (JmSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = jm_source_constructed;
  object_class->finalize = jm_source_finalize;

  /**
   * JmSource:host:
   *
   * The host that is asked; by default the one that the program runs on.
   *
   * Since: 0.1
   */
  add_property (object_class, G_PRIVATE_OFFSET (JmSource, host),
                g_param_spec_object ("host", NULL, NULL, JM_TYPE_HOST, FIELD_FLAGS));
}

static void
jm_source_init (JmSource *self)
{
}

/**
 * jm_source_get_host:
 * @self: a source
 *
 * Gets the host that is asked.
 *
 * Returns: (transfer none): the host
 * Since: 0.1
 */
JmHost *
jm_source_get_host (JmSource *self)
{
  JmSourcePrivate *priv = jm_source_get_instance_private (self);

  g_return_val_if_fail (JM_IS_SOURCE (self), NULL);

  return priv->host;
}

gboolean
jm_source_is_open (JmSource *self)
{
  JmSourcePrivate *priv = jm_source_get_instance_private (self);

  g_return_val_if_fail (JM_IS_SOURCE (self), FALSE);

  return priv->is_open;
}

const GError *
jm_source_get_error (JmSource *self)
{
  JmSourcePrivate *priv = jm_source_get_instance_private (self);

  g_return_val_if_fail (JM_IS_SOURCE (self), NULL);

  return priv->error;
}

void
jm_source_set_error (JmSource *self, const GError *error)
{
  JmSourcePrivate *priv = jm_source_get_instance_private (self);

  g_clear_error (&priv->error);
  if (error != NULL)
    priv->error = g_error_copy (error);
}

gboolean
jm_source_is_superseded_by (JmSource *self, JmSource *other)
{
  JmSourceClass *klass;

  g_return_val_if_fail (JM_IS_SOURCE (self), FALSE);
  g_return_val_if_fail (JM_IS_SOURCE (other), FALSE);

  klass = JM_SOURCE_GET_CLASS (self);

  return klass->is_superseded_by != NULL && klass->is_superseded_by (self, other);
}

/* Whether the source asks over the network, or runs a program of the site's, as soon as
 * it is open.
 *
 * Returns TRUE where it does. */
gboolean
jm_source_reaches_out (JmSource *self)
{
  g_return_val_if_fail (JM_IS_SOURCE (self), FALSE);

  return JM_SOURCE_GET_CLASS (self)->check != NULL;
}

gboolean
jm_source_check (JmSource *self, GError **error)
{
  JmSourceClass *klass;

  g_return_val_if_fail (JM_IS_SOURCE (self), FALSE);

  klass = JM_SOURCE_GET_CLASS (self);

  return klass->check == NULL || klass->check (self, error);
}

/**
 * jm_source_advise:
 * @self: a source
 * @error: why it gives no figures
 * @advice: where what mends that goes
 *
 * Asks a source how to correct its failure. It distinguishes failures by their codes,
 * and adds nothing where the error's own words are all that helps.
 *
 * Since: 0.1
 */
void
jm_source_advise (JmSource *self, const GError *error, JmAdvice *advice)
{
  JmSourceClass *klass;

  g_return_if_fail (JM_IS_SOURCE (self));
  g_return_if_fail (error != NULL);
  g_return_if_fail (advice != NULL);

  klass = JM_SOURCE_GET_CLASS (self);
  if (klass->advise != NULL)
    klass->advise (self, error, advice);
}
