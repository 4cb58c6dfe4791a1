/** Makes the table of what holds for the visits to a site, where its owner has said something. */

export const siteSettings = [
  `create table site_settings (
    project_id text primary key references project (id) on delete cascade,
    settings text not null, updated_at bigint not null)`,
];
