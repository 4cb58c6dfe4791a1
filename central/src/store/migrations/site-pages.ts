/** Makes the table of the pages of its own that a site shows where nothing of it answers. */

export const sitePages = [
  `create table site_page (
    project_id text not null references project (id) on delete cascade,
    status text not null, html text not null, size_bytes integer not null, updated_at bigint not null,
    primary key (project_id, status))`,
];
