import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { maxReportedVisits, type CarriedVisits } from "@tijolo/protocol";
import { until } from "../../../../test/support/until.ts";
import { VisitRing, type RingPositions } from "./visit-ring.ts";

const logger = { warn() {} };
const visits = maxReportedVisits + 200;

/** Returns a line as HAProxy writes it, one for each path. */
function lineOf(index: number): string {
  const project = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  return `${JSON.stringify({ t: 1_760_000_000_000_000 + index, project, address: "192.0.2.1", path: `/${index}` })}\n`;
}

/** Serves what HAProxy answers to one that follows its ring: its pid, and its lines. */
async function serveRing(context: TestContext, directory: string, answer: () => string) {
  const socketPath = join(directory, "api");
  const sockets = new Set<Socket>();
  const haproxy = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.write(answer());
  }).listen(socketPath);
  context.after(() => haproxy.close());
  await once(haproxy, "listening");
  return { socketPath, sockets };
}

async function directoryOf(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-ring-"));
  context.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

const pathsOf = ({ visits: batch }: CarriedVisits) => batch.map(({ path }) => path);

test("a program that ends between two reports has left the second to the next one", async (context) => {
  const lines = Array.from({ length: visits }, (_, index) => lineOf(index)).join("");
  const { socketPath } = await serveRing(context, await directoryOf(context), () => `Pid: 7\n${lines}`);
  const counted: string[] = [];
  let [isAway, refused] = [false, 0];
  let positions: RingPositions = {};
  const report = async (batch: CarriedVisits) => {
    if (isAway) {
      refused += 1;
      throw new Error("central is away");
    }
    counted.push(...pathsOf(batch));
    isAway = counted.length === maxReportedVisits;
  };
  const savePositions = async (saved: RingPositions) => void (positions = saved);
  {
    await using _first = new VisitRing({ socketPath, report, savePositions, logger }, positions);
    await until(() => refused > 0);
  }
  assert.equal(counted.length, maxReportedVisits);
  isAway = false;
  await using _next = new VisitRing({ socketPath, report, savePositions, logger }, positions);
  await until(() => counted.length >= visits);
  assert.deepEqual(
    counted,
    Array.from({ length: visits }, (_, index) => `/${index}`),
  );
});

test("visits whose report may not have come are sent again as the same batch, whatever came since", async (context) => {
  const { socketPath, sockets } = await serveRing(
    context,
    await directoryOf(context),
    () => `Pid: 7\n${lineOf(0)}`,
  );
  const sent: [string | undefined, string[]][] = [];
  const report = async (batch: CarriedVisits) => {
    sent.push([batch.batch, pathsOf(batch)]);
    if (sent.length > 1) return;
    for (const socket of sockets) socket.write(lineOf(1));
    throw new Error("the answer was lost");
  };
  await using _ring = new VisitRing({ socketPath, report, savePositions: async () => {}, logger }, {});
  await until(() => sent.length === 3);
  const [first, again, next] = sent;
  assert.deepEqual([again, next?.[1]], [first, ["/1"]]);
  assert.notEqual(next?.[0], first?.[0]);
});

test("the ring of a HAProxy that ends is read beside that of the next one, and each of them once", async (context) => {
  const directory = await directoryOf(context);
  let answer = `Pid: 7\n${lineOf(5)}`;
  const { socketPath, sockets } = await serveRing(context, directory, () => answer);
  const counted: string[] = [];
  const report = async (batch: CarriedVisits) => void counted.push(...pathsOf(batch));
  await using ring = new VisitRing({ socketPath, report, savePositions: async () => {}, logger }, {});
  await until(() => counted.length === 1);
  answer = `Pid: 8\n${lineOf(1)}`;
  ring.follow();
  ring.follow();
  const [old] = sockets;
  await until(() => counted.length === 2);
  old?.write(lineOf(6));
  await until(() => counted.length === 3);
  assert.deepEqual(counted, ["/5", "/1", "/6"]);
});
