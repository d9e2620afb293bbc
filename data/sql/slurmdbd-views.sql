-- slurmdbd-views.sql: what the history slurmdbd may read of Slurm's accounting
--
-- SPDX-FileCopyrightText: 2026 The jobmetrics authors
-- SPDX-License-Identifier: MIT
--
-- To be run by an administrator of the database, once for each cluster, and again after
-- an upgrade of Slurm. Views alone are readable: no scripts, environments or comments.
--
--   mariadb --init-command="SET @cluster = 'alpha'" < slurmdbd-views.sql
--
-- @slurm is slurmdbd's database, @views the one that is made here, @reader who may read.

SET @slurm = COALESCE(@slurm, 'slurm_acct_db');
SET @views = COALESCE(@views, 'jobmetrics_slurm');
SET @reader = COALESCE(@reader, '''jobmetrics''@''localhost''');
SET @from = CONCAT(' FROM `', @slurm, '`.');
SET @view = CONCAT('CREATE OR REPLACE SQL SECURITY DEFINER VIEW `', @views, '`.');

-- Slurm 26.05 and later
SET @sluid = IF(EXISTS(SELECT 1 FROM information_schema.columns
  WHERE table_schema = @slurm AND table_name = CONCAT(@cluster, '_job_table')
    AND column_name = 'sluid'), ', j.sluid', '');

EXECUTE IMMEDIATE CONCAT('CREATE DATABASE IF NOT EXISTS `', @views, '`');

EXECUTE IMMEDIATE CONCAT(@view, '`', @cluster, '_jobs` AS
  SELECT j.job_db_inx, j.mod_time, j.id_job, j.id_array_job, j.id_array_task,
         j.array_task_str, j.array_max_tasks, j.het_job_id, j.het_job_offset,
         a.user, j.id_user, j.account, j.`partition`, q.name AS qos, j.state,
         j.time_submit, j.time_eligible, j.time_start, j.time_end, j.time_suspended,
         j.timelimit, j.exit_code, j.nodes_alloc, j.nodelist, j.job_name,
         j.tres_alloc, j.tres_req', @sluid, @from, '`', @cluster, '_job_table` AS j
    LEFT JOIN `', @slurm, '`.`', @cluster, '_assoc_table` AS a ON a.id_assoc = j.id_assoc
    LEFT JOIN `', @slurm, '`.qos_table AS q ON q.id = j.id_qos
   WHERE j.deleted = 0');

EXECUTE IMMEDIATE CONCAT(@view, '`', @cluster, '_steps` AS
  SELECT job_db_inx, id_step, step_het_comp, state, time_start, time_end, nodes_alloc,
         task_cnt, exit_code, user_sec, user_usec, sys_sec, sys_usec, consumed_energy,
         tres_alloc, tres_usage_in_max', @from, '`', @cluster, '_step_table`
   WHERE deleted = 0');

EXECUTE IMMEDIATE CONCAT(@view, 'tres AS SELECT id, type, name', @from, 'tres_table
   WHERE deleted = 0');

EXECUTE IMMEDIATE CONCAT(@view, 'administrators AS SELECT name', @from, 'user_table
   WHERE deleted = 0 AND admin_level >= 2');

EXECUTE IMMEDIATE CONCAT(@view, 'coordinators AS SELECT a.name AS account, c.user',
  @from, 'acct_table AS a
    LEFT JOIN `', @slurm, '`.acct_coord_table AS c ON c.acct = a.name AND c.deleted = 0
   WHERE a.deleted = 0');

EXECUTE IMMEDIATE CONCAT('CREATE USER IF NOT EXISTS ', @reader);
EXECUTE IMMEDIATE CONCAT('GRANT SELECT ON `', @views, '`.* TO ', @reader);
