/** What each project holds of its host stands where hosts are compared, so that one index answers. */

export const reservedMemory = [
  `alter table placement add column reserved_memory_mb integer not null default 0`,
  `update placement set reserved_memory_mb = (
    select case
      when project.run = 'on' and project.running_memory_mb > project.memory_mb then project.running_memory_mb
      else project.memory_mb end
    from project where project.id = placement.project_id)`,
  `create index placement_host_memory on placement (host_id, reserved_memory_mb)`,
  `drop index placement_host`,
];
