/**
 * Makes the tables of passkeys, with their mark on sessions, and of sign-ups that wait for the link of their mail. Number 25: it stands
 * after that of operators who are people.
 */

export const passkeys = [
  `create table passkey (
    id text primary key, person_id text not null references person (id), credential_id text not null unique,
    rp_id text not null, public_key text not null, counter bigint not null, transports text not null,
    name text not null, is_synced integer not null, created_at bigint not null, last_used_at bigint)`,
  `create index passkey_person on passkey (person_id, id)`,
  `alter table session add column has_passkey integer not null default 0`,
  `create table pending_sign_up (
    id text primary key, email text not null, name text not null, password text not null,
    created_at bigint not null, expires_at bigint not null)`,
  `create index pending_sign_up_email on pending_sign_up (email)`,
  `create index pending_sign_up_expiry on pending_sign_up (expires_at)`,
];
