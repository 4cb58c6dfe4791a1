/** What a run holds of memory until its next start; suspensions and ended betas are looked for by time. */

export const quota = [
  `alter table project add column running_memory_mb integer`,
  `create index project_run on project (run, account_id)`,
  `create index account_stops_at on account (stops_at)`,
  `create index account_beta_ends_at on account (beta_ends_at)`,
];
