/** Who signs in to the panel: people, their passwords, sessions and second factors, and single-use tokens. */

export const people = [
  `create table person (
    id text primary key, account_id text not null unique references account (id), name text not null, email text not null unique,
    email_verified integer not null, created_at bigint not null, updated_at bigint not null)`,
  `create table credential (
    id text primary key, person_id text not null references person (id), provider text not null, subject text not null,
    password text, created_at bigint not null, updated_at bigint not null, unique (provider, subject))`,
  `create index credential_person on credential (person_id)`,
  `create table session (
    id text primary key, person_id text not null references person (id), token_hash text not null unique, address text,
    user_agent text, expires_at bigint not null, created_at bigint not null, updated_at bigint not null)`,
  `create index session_person on session (person_id)`,
  `create table verification (
    id text primary key, identifier text not null, value text not null, expires_at bigint not null,
    created_at bigint not null, updated_at bigint not null)`,
  `create index verification_identifier on verification (identifier)`,
  `create index verification_value on verification (value)`,
  `create table two_factor (
    person_id text primary key references person (id), secret text, recovery_codes text not null, last_step bigint not null,
    pending_secret text, pending_recovery_codes text not null)`,
  `create table sign_in_place (
    person_id text not null references person (id), address text not null, user_agent text not null, seen_at bigint not null,
    primary key (person_id, address, user_agent))`,
];
