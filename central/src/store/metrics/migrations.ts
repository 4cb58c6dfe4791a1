/**
 * Migrations of the metrics file. Rows of one step lie together, so that a step is written and removed in one
 * place.
 */

import type { Migrations } from "../migrate.ts";

/** What engines spell differently in the definition of a table. */
export interface TableWords {
  /** A primary key whose value the engine makes, and never makes twice. */
  generatedKey: string;
  /** Behind a table: its rows are stored in the order of their key. */
  inKeyOrder: string;
}

export const metricMigrations = ({ generatedKey, inKeyOrder }: TableWords): Migrations => ({
  firstNumber: 1,
  lists: [
    [
      `create table project (number ${generatedKey}, id text not null unique)`,
      `create table step (
        step_seconds bigint not null, at bigint not null, project bigint not null, covered_ms bigint not null,
        memory_mb_ms bigint not null, cpu_usec bigint not null, network_in_bytes bigint not null,
        network_out_bytes bigint not null, disk_mb bigint, primary key (step_seconds, at, project)) ${inKeyOrder}`,
      `create table due (step_seconds bigint not null, at bigint not null, primary key (step_seconds, at)) ${inKeyOrder}`,
    ],
    [
      `create table visit_step (
        step_seconds bigint not null, at bigint not null, project bigint not null, sums text not null,
        primary key (step_seconds, at, project)) ${inKeyOrder}`,
      `create index visit_step_project on visit_step (project)`,
      `create table visit_top (
        at bigint not null, project bigint not null, is_open integer not null, tops text not null,
        primary key (at, project)) ${inKeyOrder}`,
      `create index visit_top_project on visit_top (project)`,
      `create index visit_top_open on visit_top (is_open, at)`,
    ],
  ],
});
