/** Adds certificates with their sealed keys: of the local authority, and of what gateways serve. */

export const certificates = [
  `create table certificate (
    id text primary key, kind text not null, names text not null, chain text not null, key_id text not null,
    ciphertext text not null, begins_at bigint not null, ends_at bigint not null, created_at bigint not null)`,
  `create index certificate_kind on certificate (kind, id)`,
  `create index certificate_key on certificate (key_id, id)`,
];
