/** Tests the rules of many projects, written into the kernel of this machine. */

import { readFileSync } from "node:fs";
import { test } from "node:test";
import assert from "node:assert/strict";
import { exec } from "../../../agent/src/host/exec.ts";
import { Firewall } from "../../../agent/src/network/firewall.ts";
import { instanceNames } from "../../../agent/src/network/instance-names.ts";
import { until } from "../../support/until.ts";

test("a change is made whatever became of the nft that makes them, and of the table", async () => {
  const names = instanceNames(`test-kept-${process.pid}`);
  const own = { interface: `${names.interfacePrefix}00000000`, address: "10.231.28.1", accountMark: 1 };
  const firewall = new Firewall({
    names,
    cidr: "10.231.28.0/24",
    resolver: { interface: `${names.interfacePrefix}resolver`, address: "10.231.28.0" },
    statics: { interface: `${names.interfacePrefix}websites`, address: "10.231.28.254" },
    resolvers: [],
    gateways: [],
    connectionLimit: 100,
  });
  const marksAfter = async (mark: number) => {
    await firewall.set({ ...own, accountMark: mark });
    const { stdout } = await exec(["nft", "list", "map", "inet", names.table, "accounts"]);
    return [...stdout.matchAll(/10\.231\.28\.1 : (0x[0-9a-f]+)/g)].map(([, text]) => Number(text));
  };
  try {
    await firewall.restore([], [own]);
    assert.deepEqual([await marksAfter(2), await marksAfter(3)], [[2], [3]]);
    const [kept] = nftProcesses();
    assert.ok(kept !== undefined, "one nft stays");
    process.kill(kept, "SIGKILL");
    assert.deepEqual(await marksAfter(4), [4]);
    assert.deepEqual([await marksAfter(5), nftProcesses().length], [[5], 1]);
    process.kill(nftProcesses()[0] ?? 0, "SIGSTOP");
    assert.deepEqual(await marksAfter(6), [6], "one that does not answer is replaced");
    await exec(["nft", "delete", "table", "inet", names.table]);
    assert.deepEqual(
      [await marksAfter(7), await marksAfter(8)],
      [[7], [8]],
      "a table that is gone is made again",
    );
  } finally {
    await firewall.destroy();
  }
  await until(() => nftProcesses().length === 0);
});

test("a table that stands as it was written keeps its counts; one that another program has changed is written anew", async () => {
  const names = instanceNames(`test-mended-${process.pid}`);
  const own = { interface: `${names.interfacePrefix}00000000`, address: "10.231.29.1", accountMark: 1 };
  const firewall = new Firewall({
    names,
    cidr: "10.231.29.0/24",
    resolver: { interface: `${names.interfacePrefix}resolver`, address: "10.231.29.0" },
    statics: { interface: `${names.interfacePrefix}websites`, address: "10.231.29.254" },
    resolvers: [],
    gateways: [],
    connectionLimit: 100,
  });
  const nft = (...words: string[]) => exec(["nft", ...words]);
  const list = async (...words: string[]) => (await nft("list", ...words)).stdout;
  // Not of connections: the kernel forgets an address without any.
  const count = () =>
    nft(
      "add",
      "element",
      "inet",
      names.table,
      "lookups",
      "{ 10.231.29.1 limit rate over 400/second burst 1500 packets }",
    );
  const isCounted = async () => (await list("set", "inet", names.table, "lookups")).includes("10.231.29.1");
  try {
    await firewall.restore([], [own]);
    await firewall.set({ ...own, interface: `${names.interfacePrefix}00000001`, address: "10.231.29.2" });
    await firewall.set({
      ...own,
      interface: `${names.interfacePrefix}00000002`,
      address: "10.231.29.3",
      accountMark: null,
    });
    await count();
    assert.ok(await isCounted());
    await firewall.mend([]);
    assert.ok(await isCounted(), "nothing was written");
    await nft("flush", "set", "inet", names.table, "lookups");

    for (const change of [
      ["flush", "chain", "inet", names.table, "refuse"],
      ["flush", "set", "inet", names.table, "refused"],
      ["flush", "set", "inet", names.table, "members"],
      ["delete", "element", "inet", names.table, "accounts", "{ 10.231.29.2 }"],
      ["delete", "table", "inet", names.table],
    ]) {
      const before = (await nft("--stateless", "list", "table", "inet", names.table)).stdout;
      await count();
      await nft(...change);
      await firewall.mend([]);
      const after = (await nft("--stateless", "list", "table", "inet", names.table)).stdout;
      assert.equal(sortedLines(after), sortedLines(before), change.join(" "));
      assert.ok(!(await isCounted()));
    }
    await firewall.mend(["10.231.29.200"]);
    assert.match(await list("set", "inet", names.table, "resolvers"), /10\.231\.29\.200/);
  } finally {
    await firewall.destroy();
  }
});

test("rules of 500 projects change in milliseconds", async (context) => {
  const names = instanceNames(`test-rules-${process.pid}`);
  const settings = {
    names,
    cidr: "10.231.24.0/22",
    resolver: { interface: `${names.interfacePrefix}resolver`, address: "10.231.24.0" },
    statics: { interface: `${names.interfacePrefix}websites`, address: "10.231.27.254" },
    resolvers: [],
    gateways: [],
    connectionLimit: 100,
  };
  const firewall = new Firewall(settings);
  const entries = Array.from({ length: 500 }, (_, index) => ({
    interface: `${names.interfacePrefix}${String(index).padStart(8, "0")}`,
    address: `10.231.${24 + (index >> 8)}.${index & 255}`,
    accountMark: index % 50,
  }));
  try {
    await firewall.restore([]);
    const added = await timeOf(() => Promise.all(entries.map((entry) => firewall.set(entry))));
    const moved = await timeOf(() =>
      Promise.all(entries.map((entry) => firewall.set({ ...entry, accountMark: 60 }))),
    );
    const [first] = entries;
    assert.ok(first !== undefined);
    const singles: number[] = [];
    for (let mark = 61; mark < 81; mark++)
      singles.push(Number(await timeOf(() => firewall.set({ ...first, accountMark: mark }))));
    const [firstOne, ...others] = singles;
    const inTheMiddle = others.toSorted((one, other) => one - other)[others.length >> 1];
    const written = await timeOf(() => firewall.restore([]));
    const removed = await timeOf(() => Promise.all(entries.map((entry) => firewall.remove(entry))));
    context.diagnostic(
      `500 projects: added ${added} ms, all moved to another account ${moved} ms, one of them ${inTheMiddle} ms (the first ${firstOne} ms), whole table ${written} ms, removed ${removed} ms`,
    );
  } finally {
    await firewall.destroy();
  }
});

function sortedLines(text: string): string {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .toSorted()
    .join("\n");
}

/** Returns the nft processes that are children of this process. */
function nftProcesses(): number[] {
  const pids = readFileSync("/proc/thread-self/children", "utf8").split(" ").filter(Boolean).map(Number);
  return pids.filter((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "nft");
}

async function timeOf(work: () => Promise<unknown>): Promise<string> {
  const startedAtMs = performance.now();
  await work();
  return (performance.now() - startedAtMs).toFixed(1);
}
