/** Makes the table of sites' own domains: pending ones coexist, one is active. */

export const domains = [
  `create table domain (
    id text primary key, project_id text not null references project (id) on delete cascade,
    account_id text not null references account (id), hostname text not null, status text not null,
    redirect_to text, seen text, error text, created_at bigint not null, checked_at bigint,
    next_check_at bigint, proof_missing_since bigint, missing_noted_at bigint)`,
  `create unique index domain_active on domain (hostname) where status = 'active'`,
  `create unique index domain_of_account on domain (account_id, hostname)`,
  `create index domain_project on domain (project_id, id)`,
  `create index domain_due on domain (next_check_at) where next_check_at is not null`,
];
