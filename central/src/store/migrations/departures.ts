/**
 * Why hosts gave up projects is kept until they have; what is wanted of a project has a number that grows
 * with each change.
 */

export const departures = [
  `create table departure (
    host_id text not null references host (id),
    project_id text not null,
    reason text not null,
    created_at bigint not null,
    primary key (host_id, project_id))`,
  `alter table placement add column revision bigint not null default 1`,
];
