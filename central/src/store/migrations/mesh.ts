/** Adds what a host is in the mesh: the range that central gives it, its key, and the rest that it says. */

export const mesh = [
  `alter table host add column mesh_range text`,
  `alter table host add column mesh_key text`,
  `alter table host add column mesh_own text`,
  `create unique index host_mesh_range on host (mesh_range)`,
  `create unique index host_mesh_key on host (mesh_key)`,
];
