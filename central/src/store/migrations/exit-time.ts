/** Old exits are found by their time. */

export const exitTime = [`create index project_exit_time on project_exit (exited_at)`];
