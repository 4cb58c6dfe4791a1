/**
 * Placements and departures carry the host's revision at which they changed last, so that a host is sent what
 * changed without reading all that it has.
 */

export const wantedRevisions = [
  `alter table placement add column wanted_revision bigint not null default 0`,
  `alter table departure add column revision bigint not null default 0`,
  `create index placement_wanted on placement (host_id, wanted_revision)`,
  `create index departure_revision on departure (host_id, revision)`,
];
