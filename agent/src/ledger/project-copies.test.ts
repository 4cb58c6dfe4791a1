import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Assignment } from "@tijolo/protocol";
import { until } from "../../../test/support/until.ts";
import { openLedger, type Ledger } from "./ledger.ts";
import { fullSet, makeAssignment } from "../../../test/support/ledger/ledger-samples.ts";

const [one, two, three] = [makeAssignment(1), makeAssignment(2), makeAssignment(3)];

class Host {
  readonly directory: string;
  readonly copiesDirectory: string;
  readonly warnings: object[] = [];
  ledger: Ledger;

  constructor(directory: string) {
    this.directory = directory;
    this.copiesDirectory = join(directory, "records");
    this.ledger = this.#open("1");
  }

  static async create(context: TestContext): Promise<Host> {
    const host = new Host(await mkdtemp(join(tmpdir(), "tijolo-copies-")));
    context.after(async () => {
      host.ledger.close();
      await rm(host.directory, { recursive: true });
    });
    return host;
  }

  /** The next is the same file, or with another name a new one. */
  reopen(name = "1"): void {
    this.ledger.close();
    this.ledger = this.#open(name);
  }

  want(...assignments: Assignment[]): void {
    this.ledger.applyDesired(fullSet(1, assignments));
  }

  #open(name: string): Ledger {
    const logger = { warn: (fields: object) => this.warnings.push(fields) };
    return openLedger({
      path: join(this.directory, name),
      copiesDirectory: this.copiesDirectory,
      clock: { now: () => 0 },
      logger,
    });
  }
}

test("a ledger that is lost is followed by one with the projects, their records and their user ids, of which none is anybody else's", async (context) => {
  const host = await Host.create(context);
  assert.equal(host.ledger.hasTakenSet(), false);
  host.want(one, two);
  assert.equal(host.ledger.hasTakenSet(), true);
  for (const { projectId } of [one, two]) host.ledger.uidIndexOf(projectId);
  host.ledger.saveRecord(two.projectId, { mergedVersion: 7 }, []);
  host.ledger.removeProject(one.projectId); // it has an assignment: nothing happens
  host.reopen("2");
  assert.equal(host.ledger.hasTakenSet(), false);
  assert.deepEqual(host.ledger.projectIds(), [one.projectId, two.projectId]);
  assert.deepEqual(host.ledger.findRecord(two.projectId), { mergedVersion: 7 });
  assert.equal(host.ledger.findRecord(one.projectId), undefined);
  host.want(three, two);
  assert.deepEqual(
    [three, two, one].map(({ projectId }) => host.ledger.uidIndexOf(projectId)),
    [2, 1, 0],
  );
  assert.equal((await stat(host.copiesDirectory)).mode & 0o777, 0o700);
});

test("an older generation than the copy's is not followed", async (context) => {
  const host = await Host.create(context);
  host.want({ ...one, generation: 5 });
  host.ledger.saveRecord(one.projectId, {}, []);
  host.reopen("2");
  host.want({ ...one, generation: 4 });
  assert.deepEqual(host.ledger.assignments(), []);
});

test("a project that is removed has no copy", async (context) => {
  const host = await Host.create(context);
  host.want(one);
  host.ledger.saveRecord(one.projectId, {}, []);
  await until(async () => (await readdir(host.copiesDirectory)).includes(`${one.projectId}.json`));
  host.ledger.saveRecord(one.projectId, { later: true }, []);
  host.want();
  host.ledger.removeProject(one.projectId);
  host.reopen();
  assert.deepEqual(await readdir(host.copiesDirectory), []);
});

test("the copies of a ledger of before there were any are made when it is opened", async (context) => {
  const host = await Host.create(context);
  host.want(one);
  assert.equal(host.ledger.uidIndexOf(one.projectId), 0);
  host.ledger.saveRecord(one.projectId, { a: 1 }, []);
  host.reopen();
  await rm(host.copiesDirectory, { recursive: true });
  host.reopen();
  host.reopen("2");
  host.want(two, one);
  assert.deepEqual(
    [two, one].map(({ projectId }) => host.ledger.uidIndexOf(projectId)),
    [1, 0],
  );
});

test("what cannot be read is told; of two copies with one user id the newer has it", async (context) => {
  const host = await Host.create(context);
  host.want(one, two);
  for (const { projectId } of [one, two]) host.ledger.uidIndexOf(projectId);
  const pathOf = ({ projectId }: Assignment) => join(host.copiesDirectory, `${projectId}.json`);
  await writeFile(join(host.copiesDirectory, "torn.json"), "");
  await writeFile(
    pathOf(one),
    JSON.stringify({ projectId: one.projectId, generation: 1, uidIndex: 1, record: null }),
  );
  await utimes(pathOf(one), 1, 1);
  host.reopen("2");
  assert.equal(host.warnings.length, 1);
  assert.deepEqual(
    [one, two].map(({ projectId }) => host.ledger.uidIndexOf(projectId)),
    [0, 1],
  );
});

test("a copy that cannot be written keeps nobody from going on", async (context) => {
  const host = await Host.create(context);
  host.want(one);
  await rm(host.copiesDirectory, { recursive: true });
  await writeFile(host.copiesDirectory, "in the way");
  host.ledger.saveRecord(one.projectId, { a: 1 }, []);
  await until(() => host.warnings.length === 1);
  assert.deepEqual(host.ledger.findRecord(one.projectId), { a: 1 });
});
