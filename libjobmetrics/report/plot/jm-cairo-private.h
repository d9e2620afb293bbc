/* jm-cairo-private.h: the libraries that draw, where somebody wants a picture
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <cairo-pdf.h>
#include <pango/pangocairo.h>

G_BEGIN_DECLS

/* They bring twenty others with them, which no node and hardly a command needs: so they
 * are loaded when the first picture is made. A function that is used here is a word. */
#define JM_CAIRO_FUNCTIONS(X)                                                          \
 X (create)                                                                            \
 X (destroy)                                                                           \
 X (fill)                                                                              \
 X (font_options_create)                                                               \
 X (font_options_destroy)                                                              \
 X (font_options_set_hint_metrics)                                                     \
 X (font_options_set_hint_style)                                                       \
 X (image_surface_create)                                                              \
 X (line_to)                                                                           \
 X (move_to)                                                                           \
 X (new_path)                                                                          \
 X (paint)                                                                             \
 X (pdf_surface_create_for_stream)                                                     \
 X (pdf_surface_set_metadata)                                                          \
 X (rectangle)                                                                         \
 X (restore)                                                                           \
 X (save)                                                                              \
 X (set_dash)                                                                          \
 X (set_line_join)                                                                     \
 X (set_line_width)                                                                    \
 X (set_source_rgb)                                                                    \
 X (set_source_rgba)                                                                   \
 X (show_page)                                                                         \
 X (status)                                                                            \
 X (status_to_string)                                                                  \
 X (stroke)                                                                            \
 X (surface_destroy)                                                                   \
 X (surface_finish)                                                                    \
 X (surface_status)                                                                    \
 X (surface_write_to_png_stream)                                                       \
 X (translate)

#define JM_PANGO_FUNCTIONS(X)                                                          \
 X (context_set_round_glyph_positions)                                                 \
 X (font_description_free)                                                             \
 X (font_description_from_string)                                                      \
 X (font_description_new)                                                              \
 X (font_description_set_absolute_size)                                                \
 X (font_description_set_family_static)                                                \
 X (font_description_set_weight)                                                       \
 X (layout_get_baseline)                                                               \
 X (layout_get_context)                                                                \
 X (layout_get_size)                                                                   \
 X (layout_set_alignment)                                                              \
 X (layout_set_ellipsize)                                                              \
 X (layout_set_font_description)                                                       \
 X (layout_set_text)                                                                   \
 X (layout_set_width)                                                                  \
 X (layout_set_wrap)

#define JM_PANGO_CAIRO_FUNCTIONS(X)                                                    \
 X (cairo_context_set_font_options)                                                    \
 X (cairo_context_set_resolution)                                                      \
 X (cairo_create_layout)                                                               \
 X (cairo_show_layout)

#define JM_CAIRO_MEMBER(name) __typeof__ (cairo_##name) *cairo_##name;
#define JM_PANGO_MEMBER(name) __typeof__ (pango_##name) *pango_##name;

typedef struct
{
  JM_CAIRO_FUNCTIONS (JM_CAIRO_MEMBER)
  JM_PANGO_FUNCTIONS (JM_PANGO_MEMBER)
  JM_PANGO_CAIRO_FUNCTIONS (JM_PANGO_MEMBER)
} JmCairo;

#undef JM_CAIRO_MEMBER
#undef JM_PANGO_MEMBER

/* Loads them, once for the whole program; never unloaded. FALSE with `ABSENT` where
 * they are not installed. */
gboolean jm_cairo_load (GError **error);

/* What was loaded. */
const JmCairo *jm_cairo_get (void);

/* A function by its name without the prefix, such as CAIRO (fill) (cr). */
#define CAIRO(name) (jm_cairo_get ()->cairo_##name)
#define PANGO(name) (jm_cairo_get ()->pango_##name)

G_END_DECLS
