/**
 * What is known of each host after an older database was restored: how far above central's own epoch it is
 * led, and whether its agent is too old.
 */

export const restoredHosts = [
  `alter table host add column epoch_ahead bigint`,
  `alter table host add column is_ahead integer not null default 0`,
];
