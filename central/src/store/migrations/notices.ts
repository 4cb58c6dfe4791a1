/** Adds notices, the channels that carry them, their outbox, and operators' announcements. */

export const notices = [
  `create table notice (
    id text primary key, account_id text not null references account (id), kind text not null,
    subject text not null, project_id text, content text not null, at bigint not null, last_at bigint not null,
    count integer not null, read_at bigint)`,
  `create index notice_account on notice (account_id, id)`,
  `create index notice_subject on notice (account_id, kind, subject, id)`,
  `create index notice_unread on notice (account_id, id) where read_at is null`,
  `create table notice_level (
    project_id text not null references project (id) on delete cascade, resource text not null,
    percent integer not null, primary key (project_id, resource))`,
  `create table notice_channel (
    account_id text not null references account (id), channel text not null, kinds text not null, key_id text,
    ciphertext text, last_sent_at bigint, last_error text, failing_since bigint, failing_noted_at bigint,
    primary key (account_id, channel))`,
  `create index notice_channel_key on notice_channel (key_id) where key_id is not null`,
  `create index notice_channel_failing on notice_channel (failing_since) where failing_since is not null`,
  `create table notice_delivery (
    notice_id text not null references notice (id) on delete cascade, account_id text not null,
    channel text not null, tries integer not null, next_try_at bigint not null, created_at bigint not null,
    primary key (notice_id, channel))`,
  `create index notice_delivery_due on notice_delivery (next_try_at)`,
  `create index notice_delivery_account on notice_delivery (account_id, channel)`,
  `create table announcement (
    id text primary key, at bigint not null, text text not null, host_id text, host_name text,
    by_name text not null, told_after text not null, accounts integer not null, completed_at bigint)`,
  `create index announcement_open on announcement (id) where completed_at is null`,
];
