/** A subdomain that is changed waits for the next start; until then the one of the current run is served. */

export const servedSubdomain = [
  `alter table project add column served_subdomain text`,
  `update project set served_subdomain = subdomain`,
  `create unique index project_served_subdomain on project (served_subdomain)`,
];
