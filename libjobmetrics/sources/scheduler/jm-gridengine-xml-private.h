/* jm-gridengine-xml-private.h: what Grid Engine's commands print with -xml
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-parse-private.h"

G_BEGIN_DECLS

/* Who takes the elements. @name is the element's attribute of that name, or an empty
 * text; @text is what stands in an element that has no other within. */
typedef struct
{
  void (*begin) (gpointer data, const char *element, const char *name);
  void (*end) (gpointer data, const char *element, const char *name, JmSlice text);
} JmGridengineXmlHandler;

/* Reads a document in chunks as they come. Names that are no UTF-8 do no harm; what
 * is nested too deep or has too long a text is no answer of Grid Engine. */
typedef struct _JmGridengineXml JmGridengineXml;

/* @root is the document's outermost element. */
JmGridengineXml *jm_gridengine_xml_new (const char *root,
                                        const JmGridengineXmlHandler *handler,
                                        gpointer data);
void jm_gridengine_xml_free (JmGridengineXml *self);

void jm_gridengine_xml_feed (JmGridengineXml *self, const char *text, gsize length);

/* FALSE, and `MALFORMED`, where it was no whole document. */
gboolean jm_gridengine_xml_finish (JmGridengineXml *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGridengineXml, jm_gridengine_xml_free)

G_END_DECLS
