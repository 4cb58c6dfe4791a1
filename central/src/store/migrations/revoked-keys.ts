/** An account's living keys are found without its revoked ones, and those by their time. */

export const revokedKeys = [
  `drop index api_key_account`,
  `create index api_key_account on api_key (account_id, id) where revoked_at is null`,
  `create index api_key_revoked on api_key (revoked_at) where revoked_at is not null`,
];
