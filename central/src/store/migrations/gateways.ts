/** Adds gateways, and the machine that a host says it runs on: a gateway there goes straight to its sites. */

export const gateways = [
  `create table gateway (
    id text primary key, name text not null, public_key text not null unique, build text, machine text,
    last_seen_at bigint, created_at bigint not null, revoked_at bigint)`,
  `alter table host add column machine text`,
];
