/** Makes the table of subdomains that were given up, and that their account may have back for a time. */

export const keptSubdomains = [
  `create table kept_subdomain (
    subdomain text primary key, account_id text not null references account (id), kept_until bigint not null)`,
  `create index kept_subdomain_end on kept_subdomain (kept_until)`,
];
