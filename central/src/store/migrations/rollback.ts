/**
 * Adds settings and the time of coming up to each version, and the failures of projects. For versions from
 * before, the time is not known: one whose install went well counts as having come up.
 */

export const rollback = [
  `alter table version add column settings text`,
  `alter table version add column came_up_at bigint`,
  `update version set settings = (select project.settings from project where project.id = version.project_id)
    where number = (select project.version_number from project where project.id = version.project_id)`,
  `update version set came_up_at = finished_at where error_code is null`,
  `create table project_event (
    id text primary key, project_id text not null references project (id) on delete cascade, at bigint not null,
    kind text not null, version_number integer not null, error_code text not null,
    error_details text not null)`,
  `create index project_event_project on project_event (project_id, id)`,
];
