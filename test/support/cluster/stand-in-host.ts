/**
 * Takes the place of a cluster's host, whose agent is stopped: central counts the host as connected, and its
 * projects are in the states that a test reports, as an agent of another version or with faults would.
 */

import type { ObservedState, ReportEntry } from "@tijolo/protocol";
import { takeReport } from "../../../central/src/app/host-projects/report.ts";
import { findProject, type ProjectRow } from "../../../central/src/store/tables/projects/project.ts";
import { sampleState } from "../samples.ts";
import type { TestCluster } from "./test-cluster.ts";
import { until } from "../until.ts";

export class StandInHost {
  readonly #cluster: TestCluster;
  /** Sequence number of the last report; it begins above those of the host's own agent. */
  #sequence = 1_000_000_000;

  private constructor(cluster: TestCluster) {
    this.#cluster = cluster;
  }

  static async takeOver(cluster: TestCluster): Promise<StandInHost> {
    const hostId = cluster.host.agent?.hostId ?? "";
    await cluster.host.stop();
    const { hostStates } = cluster.central.app;
    await until(() => !hostStates.isConnected(hostId));
    hostStates.connected(hostId);
    return new StandInHost(cluster);
  }

  /** Returns the project as central has it. */
  async row(projectId: string): Promise<Readonly<ProjectRow>> {
    const row = await findProject(this.#cluster.central.app.db, projectId);
    if (row === undefined) throw new Error("the project is gone");
    return row;
  }

  /** Reports a state of the wanted version and the wanted run; `change` says what is otherwise. */
  async says(projectId: string, change: Partial<ObservedState>): Promise<void> {
    const { restartCount, versionNumber } = await this.row(projectId);
    const state = sampleState({ restartCount, versionNumber, ...change });
    await this.#report(projectId, { kind: "state", state });
  }

  async exits(
    projectId: string,
    event: Omit<Extract<ReportEntry["event"], { kind: "exit" }>, "kind">,
  ): Promise<void> {
    await this.#report(projectId, { kind: "exit", ...event });
  }

  async #report(projectId: string, event: ReportEntry["event"]): Promise<void> {
    const { hostId, generation } = await this.row(projectId);
    const entry = { sequence: ++this.#sequence, projectId, generation, event };
    await takeReport(this.#cluster.central.app, hostId, [entry]);
  }
}
