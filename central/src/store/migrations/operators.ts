/** Roles and expiry of operators, and the record of what they change. */

export const operators = [
  `alter table operator add column role text not null default 'owner'`,
  `alter table operator add column prefix text not null default ''`,
  `alter table operator add column expires_at bigint`,
  `create table audit (
    id text primary key, at bigint not null, operator_id text not null, operator_name text not null, address text not null,
    action text not null, subject_kind text not null, subject_id text, subject_name text, before_fields text, after_fields text)`,
];
