/** What made each version, who, and how its install ended. */

export const versions = [
  `alter table version add column trigger text not null default 'upload'`,
  `alter table version add column by_kind text not null default 'service'`,
  `alter table version add column by_name text not null default 'Tijolo'`,
  `alter table version add column rolled_back_from integer`,
  `alter table version add column finished_at bigint`,
  `alter table version add column error_code text`,
  `alter table version add column error_detail text`,
  `update version set finished_at = created_at`,
];
