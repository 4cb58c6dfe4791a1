/**
 * Kills an agent at each record that it saves in its ledger during an update, a return and a rollback, just
 * before the record is saved and just after: the next agent ends in the same state as one that was not
 * killed.
 */

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Assignment, ObservedState } from "@tijolo/protocol";
import { until } from "../../../test/support/until.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { ProjectHost, version } from "../../../test/support/projects/project-host.ts";

/** Bound on the saves that are looked for: no update makes as many. */
const maxSaves = 60;

interface Update {
  name: string;
  wanted: Assignment;
  /** Version that came up before version 1 did not; default: none. */
  isRollback?: boolean;
  told: Partial<ObservedState>;
  runs: RegExp;
}

const updates: Update[] = [
  {
    name: "an update",
    wanted: version(2),
    told: { phase: "running", versionNumber: 2, servingVersion: 2, errorCode: null },
    runs: /of version 2$/,
  },
  {
    name: "an update whose install fails",
    wanted: version(2, { installCommand: "sim exit 1" }),
    told: { phase: "failed", versionNumber: 2, servingVersion: 1, errorCode: "install_failed" },
    runs: /^run 1 of version 1$/,
  },
  {
    name: "an update that is taken back",
    wanted: version(2, { command: "sim exit 7" }),
    told: { phase: "failed", versionNumber: 2, servingVersion: 1, errorCode: "start_failed" },
    runs: /of version 1$/,
  },
  {
    name: "a rollback",
    wanted: version(3, {}, { archive: version(1).archive }),
    isRollback: true,
    told: { phase: "running", versionNumber: 3, servingVersion: 3, errorCode: null },
    runs: /of version 3$/,
  },
];

suite("an agent that is killed in the middle of an update", { concurrency: 4 }, () => {
  for (const { name, wanted, isRollback = false, told, runs } of updates) {
    for (const when of ["before", "after"] as const) {
      test(`${name}: killed ${when} any save of its record, an agent leaves nothing half made`, async (t) => {
        let saves = 1;
        for (; saves < maxSaves; saves++) {
          const host = await ProjectHost.create(t);
          await host.startAgent(version(1));
          await host.bringUp(version(1));
          if (isRollback) await host.bringUp(version(2));
          await host.stopAgent();
          const fetches = host.fetches;

          const kill = new Kill(saves, when);
          await host.startAgent(wanted, { onLedger: (ledger) => kill.guard(ledger) });
          const isDone = () => isTold(host.told, told) && host.running().length === 1;
          await until(() => kill.isDead || (isDone() && host.worker.record.observed.phase === "running"));
          const isLast = !kill.isDead;
          await host.stopAgent();

          await host.startAgent(wanted);
          try {
            await until(() => isDone() && host.worker.record.observed.phase === "running");
          } catch (cause) {
            const state = JSON.stringify([host.told, host.running()]);
            throw new Error(`killed ${when} save ${saves}: ${state}`, { cause });
          }
          assert.match(host.running().join(), runs, `killed ${when} save ${saves}`);
          if (isRollback) assert.equal(host.fetches, fetches, `fetched: killed ${when} save ${saves}`);
          await host.stopAgent();
          host.machine.reboot();
          if (isLast) break;
        }
        t.diagnostic(`${saves - 1} saves`);
        assert.ok(saves > 3 && saves < maxSaves);
      });
    }
  }
});

function isTold(state: ObservedState, expected: Partial<ObservedState>): boolean {
  return Object.entries(expected).every(([name, value]) => state[name as keyof ObservedState] === value);
}

/** Ends an agent at its n-th save of the record, and refuses all later saves. */
class Kill {
  isDead = false;
  #left: number;
  readonly #when: "before" | "after";

  constructor(saves: number, when: "before" | "after") {
    this.#left = saves;
    this.#when = when;
  }

  guard(ledger: Ledger): Ledger {
    return {
      ...ledger,
      saveRecord: (...args) => {
        if (this.isDead) throw new Error("the agent is dead");
        this.isDead = --this.#left === 0;
        if (this.isDead && this.#when === "before") throw new Error("the agent is killed");
        ledger.saveRecord(...args);
        if (this.isDead) throw new Error("the agent is killed");
      },
    };
  }
}
