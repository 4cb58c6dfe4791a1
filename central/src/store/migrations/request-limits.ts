/** Counted requests, and the answers kept for idempotency keys. */

export const requestLimits = [
  // No reference to the account: what is left of one that is gone is removed with its day.
  `create table rate_window (
    account_id text primary key, minute_started_at bigint not null, minute_used bigint not null,
    day_started_at bigint not null, day_used bigint not null)`,
  `create table idempotency (
    account_id text not null references account (id) on delete cascade, key text not null, fingerprint text not null,
    answer text not null, created_at bigint not null, primary key (account_id, key))`,
  `create index idempotency_age on idempotency (created_at)`,
];
