/* jme-ceems-answer.h: an answer in the form of CEEMS, and of what came before it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-json-writer-private.h"
#include "server/jme-answer.h"
#include "server/jme-ceems-site.h"
#include "web/jme-request.h"

G_BEGIN_DECLS

/* JmeCeemsQuery:
 * @clusters: of these alone
 * @uuids: ids of jobs, or uuids of runs
 * @projects: of these accounts alone
 * @users: of these alone
 * @fields: what is wanted of each
 * @from: seconds since 1970
 * @to: seconds since 1970; both ends are meant
 * @has_window: whether somebody asked for one
 * @running: whether what goes on is wanted too
 * @wants_administrators: whether users are wanted that see all
 * @zone: in which times are told
 *
 * What the query of a request says. A list is NULL where nothing is asked for by it. */
typedef struct
{
  GStrv clusters;
  GStrv uuids;
  GStrv projects;
  GStrv users;
  GStrv fields;
  gint64 from;
  gint64 to;
  gboolean has_window;
  gboolean running;
  gboolean wants_administrators;
  GTimeZone *zone;
} JmeCeemsQuery;

/* Keys that are not known are passed over, as CEEMS does; @window is how long one is that
 * nobody asked for, seconds.
 *
 * - Errors: `INVALID`, with the key and the value. */
gboolean jme_ceems_query_init (JmeCeemsQuery *self,
                               JmeRequest *request,
                               gint64 window,
                               GError **error);

/* Whether a name is one of @names, or any will do. */
gboolean jme_ceems_query_wants (GStrv names, const char *name);

void jme_ceems_query_clear (JmeCeemsQuery *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmeCeemsQuery, jme_ceems_query_clear)

#define JME_CEEMS "/ceems/api/v1/"

/* What each route has; its handlers are given a JmeCeemsSite. */
#define JME_CEEMS_ROUTE .choose_access = jme_answer_choose_access, .is_slow = TRUE

/**
 * JmeCeemsAnswer:
 * @site: the archive
 * @answer: who asks; its text has the elements of `data`
 * @query: what is asked for
 * @is_for_all: whether an administrator asks for everybody's
 * @has_no_data: whether there is nothing to list
 * @n_read: how many runs were read for it
 * @warnings: of text: what the reader should know
 *
 * One request in CEEMS' words that is being answered.
 */
typedef struct
{
  JmeCeemsSite *site;
  JmeAnswer answer;
  JmeCeemsQuery query;
  gboolean is_for_all;
  gboolean has_no_data;
  guint n_read;
  GPtrArray *warnings;
} JmeCeemsAnswer;

/* JmeCeemsForm:
 * @window: how long one is that nobody asked for, seconds
 * @append: appends the whole of an answer
 * @refuse: answers that there is none
 *
 * What the answers of a router have in common. */
typedef struct
{
  gint64 window;
  void (*append) (JmJsonWriter *json, JmeCeemsAnswer *answer);
  JmeRefuse refuse;
} JmeCeemsForm;

/* Tells what was asked for. Errors are as jme_answer_fail() has them. */
typedef gboolean (*JmeCeemsFunc) (JmeCeemsAnswer *self, GError **error);

extern const JmeCeemsForm jme_ceems_form;

/* Answers by @tell, each in its own words of what belongs to the caller. */
void jme_ceems_answer (JmeRequest *request,
                       JmeCeemsSite *site,
                       const JmeCeemsForm *form,
                       JmeCeemsFunc tell);

/* Answers administrators alone; @tell may tell of everybody's. */
void jme_ceems_answer_administrator (JmeRequest *request,
                                     JmeCeemsSite *site,
                                     JmeCeemsFunc tell);

/* The members `data` and `warnings` of an answer. */
void jme_ceems_answer_append_data (JmJsonWriter *json, JmeCeemsAnswer *self);
void jme_ceems_answer_append_warnings (JmJsonWriter *json, JmeCeemsAnswer *self);

/* Answers @request with a whole document, which it takes. */
void jme_ceems_answer_send (JmeRequest *request, guint status, GString *json);

void jme_ceems_answer_warn (JmeCeemsAnswer *self, const char *format, ...)
  G_GNUC_PRINTF (2, 3);

/* A filter of the users, accounts and cluster that are asked for: the caller alone,
 * where
 * @is_own, and else all whom they may see. Of several clusters it has all. */
JmRunFilter *jme_ceems_answer_make_filter (JmeCeemsAnswer *self, gboolean is_own);

G_END_DECLS
