/**
 * Makes the table of the files that versions replaced. Number 22: it stands after those of versions and
 * notices.
 */

export const replacedFiles = [
  `create table replaced_files (
    project_id text not null references project (id) on delete cascade, version_number integer not null,
    reported_at bigint not null, file_count integer not null, paths text not null,
    primary key (project_id, version_number))`,
  `create index replaced_files_time on replaced_files (reported_at)`,
];
