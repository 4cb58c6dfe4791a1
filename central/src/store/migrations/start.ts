/** Accounts, keys, operators, hosts, projects. */

export const start = [
  `create table setting (name text primary key, value text not null)`,
  `create table account (
    id text primary key, name text not null, plan text not null, suspended_at bigint, created_at bigint not null)`,
  `create table api_key (
    id text primary key, account_id text not null references account (id), name text not null, prefix text not null,
    hash text not null unique, level text not null, scopes text not null, created_at bigint not null,
    last_used_at bigint, revoked_at bigint)`,
  `create index api_key_account on api_key (account_id)`,
  `create table operator (
    id text primary key, name text not null, token_hash text not null unique, created_at bigint not null)`,
  `create table host (
    id text primary key, name text not null unique, public_key text not null unique, resources text, build text,
    boot_id text, desired_revision bigint not null, taken_sequence bigint not null, last_seen_at bigint,
    created_at bigint not null, revoked_at bigint)`,
  `create table join_token (
    hash text primary key, expires_at bigint not null, used_at bigint, created_at bigint not null)`,
  `create table project (
    id text primary key, account_id text not null references account (id), name text not null,
    description text not null, type text not null, settings text not null, running_settings text,
    memory_mb integer not null, subdomain text unique, run text not null, restart_count bigint not null,
    version_number integer not null, created_at bigint not null, updated_at bigint not null)`,
  `create index project_account on project (account_id, id)`,
  `create table placement (
    project_id text primary key references project (id) on delete cascade,
    host_id text not null references host (id), generation bigint not null, observed text)`,
  `create index placement_host on placement (host_id)`,
  `create table version (
    project_id text not null references project (id) on delete cascade, number integer not null,
    archive_sha256 text not null, size_bytes bigint not null, created_at bigint not null,
    primary key (project_id, number))`,
  `create index version_archive on version (archive_sha256)`,
  `create table project_exit (
    project_id text not null references project (id) on delete cascade, host_id text not null,
    sequence bigint not null, run_number bigint not null, code integer not null, is_out_of_memory integer not null,
    is_crash integer not null, exited_at bigint not null, primary key (host_id, sequence))`,
  `create index project_exit_project on project_exit (project_id, exited_at)`,
];
