/** Makes all tables of the first release. */

export const start = [
  `create table setting (name text primary key, value text not null)`,

  `create table account (
    id text primary key, name text not null, plan text not null, suspended_at bigint, stops_at bigint,
    beta_ends_at bigint, created_at bigint not null)`,
  `create index account_stops_at on account (stops_at)`,
  `create index account_beta_ends_at on account (beta_ends_at)`,
  `create table activity (
    id text primary key, account_id text not null references account (id), at bigint not null,
    actor_kind text not null, actor_id text, actor_name text not null, action text not null, project_id text,
    project_name text, address text, before_fields text, after_fields text)`,
  `create index activity_account on activity (account_id, id)`,
  `create index activity_project on activity (project_id, id)`,
  `create table api_key (
    id text primary key, account_id text not null references account (id), name text not null,
    prefix text not null, hash text not null unique, scopes text not null, created_at bigint not null,
    last_used_at bigint, revoked_at bigint)`,
  `create index api_key_account on api_key (account_id, id) where revoked_at is null`,
  `create index api_key_revoked on api_key (revoked_at) where revoked_at is not null`,
  // No reference to the account: what is left of one that is gone is removed with its day.
  `create table rate_window (
    account_id text primary key, minute_started_at bigint not null, minute_used bigint not null,
    day_started_at bigint not null, day_used bigint not null)`,
  `create table idempotency (
    account_id text not null references account (id) on delete cascade, key text not null,
    fingerprint text not null, answer text not null, created_at bigint not null, primary key (account_id, key))`,
  `create index idempotency_age on idempotency (created_at)`,

  `create table person (
    id text primary key, account_id text not null unique references account (id), name text not null,
    email text not null unique, email_verified integer not null, created_at bigint not null,
    updated_at bigint not null)`,
  `create table credential (
    id text primary key, person_id text not null references person (id), provider text not null,
    subject text not null, password text, created_at bigint not null, updated_at bigint not null,
    unique (provider, subject))`,
  `create index credential_person on credential (person_id)`,
  `create table session (
    id text primary key, person_id text not null references person (id), token_hash text not null unique,
    address text, user_agent text, expires_at bigint not null, created_at bigint not null,
    updated_at bigint not null)`,
  `create index session_person on session (person_id)`,
  `create table verification (
    id text primary key, identifier text not null, value text not null, expires_at bigint not null,
    created_at bigint not null, updated_at bigint not null)`,
  `create index verification_identifier on verification (identifier)`,
  `create index verification_value on verification (value)`,
  `create table two_factor (
    person_id text primary key references person (id), secret text, recovery_codes text not null,
    last_step bigint not null, pending_secret text, pending_recovery_codes text not null)`,
  `create table sign_in_place (
    person_id text not null references person (id), address text not null, user_agent text not null,
    seen_at bigint not null, primary key (person_id, address, user_agent))`,

  `create table operator (
    id text primary key, name text not null, token_hash text not null unique, created_at bigint not null,
    role text not null default 'owner', prefix text not null default '', expires_at bigint)`,
  `create table audit (
    id text primary key, at bigint not null, operator_id text not null, operator_name text not null,
    address text not null, action text not null, subject_kind text not null, subject_id text, subject_name text,
    before_fields text, after_fields text)`,

  `create table host (
    id text primary key, name text not null unique, public_key text not null unique, resources text, build text,
    desired_revision bigint not null, taken_sequence bigint not null, last_seen_at bigint,
    created_at bigint not null, revoked_at bigint, memory_cap_mb integer, epoch_ahead bigint)`,
  `create table join_token (
    hash text primary key, expires_at bigint not null, used_at bigint, created_at bigint not null,
    memory_cap_mb integer)`,
  `create table image_override (
    language text not null, version text not null, reference text not null, updated_at bigint not null,
    primary key (language, version))`,

  `create table project (
    id text primary key, account_id text not null references account (id), name text not null,
    description text not null, type text not null, settings text not null, running_settings text,
    memory_mb integer not null, running_memory_mb integer, subdomain text unique, served_subdomain text,
    run text not null, restart_count bigint not null, start_config_tag text, version_number integer not null,
    created_at bigint not null, updated_at bigint not null)`,
  `create index project_account on project (account_id, id)`,
  `create index project_run on project (run, account_id)`,
  `create unique index project_served_subdomain on project (served_subdomain)`,
  `create table project_variables (
    project_id text primary key references project (id) on delete cascade, revision text not null,
    key_id text not null, ciphertext text not null)`,
  `create index project_variables_key on project_variables (key_id, project_id)`,
  `create table placement (
    project_id text primary key references project (id) on delete cascade,
    host_id text not null references host (id), generation bigint not null, observed text,
    reserved_memory_mb integer not null default 0, revision bigint not null default 1,
    wanted_revision bigint not null default 0)`,
  `create index placement_host_memory on placement (host_id, reserved_memory_mb)`,
  `create index placement_wanted on placement (host_id, wanted_revision)`,
  `create table departure (
    host_id text not null references host (id), project_id text not null, reason text not null,
    created_at bigint not null, revision bigint not null default 0, primary key (host_id, project_id))`,
  `create index departure_revision on departure (host_id, revision)`,
  `create table version (
    project_id text not null references project (id) on delete cascade, number integer not null,
    archive_sha256 text not null, size_bytes bigint not null, created_at bigint not null,
    trigger text not null default 'upload', by_kind text not null default 'service',
    by_name text not null default 'Tijolo', rolled_back_from integer, finished_at bigint, error_code text,
    error_details text, primary key (project_id, number))`,
  `create index version_archive on version (archive_sha256)`,
  `create table project_exit (
    project_id text not null references project (id) on delete cascade, host_id text not null,
    sequence bigint not null, run_number bigint not null, code integer not null,
    is_out_of_memory integer not null, is_crash integer not null, exited_at bigint not null,
    primary key (host_id, sequence))`,
  `create index project_exit_project on project_exit (project_id, exited_at)`,
  `create index project_exit_time on project_exit (exited_at)`,
];
