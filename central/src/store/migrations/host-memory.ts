/**
 * The most memory that is counted of a host, whatever it says that it has; for those that are there, what
 * they said last, up to 64 TB.
 */

export const hostMemory = [
  `alter table host add column memory_cap_mb integer`,
  `alter table join_token add column memory_cap_mb integer`,
  `update host set memory_cap_mb = min(json_extract(resources, '$.memoryMb'), 67108864) where resources is not null`,
];
