/* jme-accounts.h: a site's runs and sums, for those who may see them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-identity.h"

G_BEGIN_DECLS

#define JME_ACCOUNTS_JOBS "/api/v1/jobs"
#define JME_ACCOUNTS_JOB "/api/v1/jobs/"
#define JME_ACCOUNTS_USAGE "/api/v1/usage"

/* Answers from a store; for several threads at once. */
typedef struct _JmeAccounts JmeAccounts;

/* @uri is as jm_job_store_open() has it. */
JmeAccounts *jme_accounts_new (const char *uri, const JmeIdentityConfig *identity);
void jme_accounts_free (JmeAccounts *self);

/* A page of runs. */
void jme_accounts_answer_jobs (JmeAccounts *self, JmeRequest *request);

/* One run with its parts, by any of its uuids, which stands behind the path. */
void jme_accounts_answer_job (JmeAccounts *self, JmeRequest *request);

/* Sums of days. */
void jme_accounts_answer_usage (JmeAccounts *self, JmeRequest *request);

G_END_DECLS
