/**
 * Adds what ordering certificates from ACME authorities needs: the account's sealed key, when each certificate
 * is renewed, and the failures and successes that pauses and limits are counted by.
 */

export const certificateOrders = [
  `create table acme_key (
    id text primary key, key_id text not null, ciphertext text not null, created_at bigint not null)`,
  `alter table certificate add column directory text`,
  `alter table certificate add column renew_at bigint`,
  `alter table certificate add column renewal_window text`,
  `alter table certificate add column renewal_ask_at bigint`,
  `create table certificate_order (
    names text primary key, failures integer not null, next_try_at bigint not null, fault text not null,
    detail text not null, failed_at bigint not null)`,
  `create table certificate_failure (name text not null, at bigint not null)`,
  `create index certificate_failure_name on certificate_failure (name, at)`,
  `create index certificate_failure_time on certificate_failure (at)`,
  `create table site_certificate_issue (names text not null, at bigint not null)`,
  `create index site_certificate_issue_time on site_certificate_issue (at)`,
];
