/** Who did what in an account; suspensions and the end of a beta. */

export const activity = [
  `create table activity (
    id text primary key, account_id text not null references account (id), at bigint not null, actor_kind text not null,
    actor_id text, actor_name text not null, action text not null, project_id text, project_name text, address text,
    before_fields text, after_fields text)`,
  `create index activity_account on activity (account_id, id)`,
  `create index activity_project on activity (project_id, id)`,
  `alter table account add column stops_at bigint`,
  `alter table account add column beta_ends_at bigint`,
];
