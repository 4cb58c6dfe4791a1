/** Environment variables, sealed; what names the settings and variables that a run was asked for with. */

export const variables = [
  `create table project_variables (
    project_id text primary key references project (id) on delete cascade, revision text not null,
    key_id text not null, ciphertext text not null)`,
  `create index project_variables_key on project_variables (key_id, project_id)`,
  `alter table project add column start_config_tag text`,
];
