/**
 * The metrics file's own migrations. Rows of one step lie together, so that a step is written and removed in
 * one place.
 */

import type { Migrations } from "../migrate.ts";

export const metricMigrations: Migrations = {
  firstNumber: 1,
  lists: [
    [
      `create table project (number integer primary key autoincrement, id text not null unique)`,
      `create table step (
        step_seconds integer not null, at integer not null, project integer not null, covered_ms integer not null,
        memory_mb_ms integer not null, cpu_usec integer not null, network_in_bytes integer not null,
        network_out_bytes integer not null, disk_mb integer, primary key (step_seconds, at, project)) without rowid`,
      `create table due (step_seconds integer not null, at integer not null, primary key (step_seconds, at)) without rowid`,
    ],
  ],
};
