/** Runs a process that sends mutated requests until its time is over, and reports the answers. */

import { connect } from "node:net";
import { apiRequest } from "../requests/api-request.ts";
import { zipOf } from "../archives/zip-of.ts";
import { exchange, manners, type Place } from "./fuzz-exchange.ts";
import { makeRequest, type FuzzOperation, type FuzzTarget } from "./fuzz-request.ts";
import { SchemaValues, type FuzzSchema } from "./schema-value.ts";
import { SeededRandom } from "./seeded-random.ts";

export interface FuzzOrder {
  centralUrl: string;
  key: string;
  cookie: string;
  projectIds: string[];
  seed: number;
  forMs: number;
}

export interface FuzzReport {
  sent: number;
  statuses: Record<string, number>;
  /** Operations that were answered with success. */
  succeeded: string[];
  problems: string[];
}

const atOnce = 32;
const slowConnections = 150;
const maxProblems = 20;

interface OpenApi {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        security: object[];
        parameters?: FuzzOperation["parameters"];
        requestBody?: { content: Record<string, { schema: FuzzSchema }> };
      }
    >
  >;
  components: { schemas: Record<string, FuzzSchema> };
}

process.once("message", (order: FuzzOrder) => {
  fuzz(order).then(
    (report) => process.send?.(report, () => process.exit(0)),
    (cause: unknown) => {
      console.error(cause);
      process.exit(1);
    },
  );
});

async function fuzz(order: FuzzOrder): Promise<FuzzReport> {
  const { hostname, port, host } = new URL(order.centralUrl);
  const place: Place = { host: hostname, port: Number(port) };
  const document = (await apiRequest(order.centralUrl, { method: "GET", path: "/api/openapi.json" }))
    .json as OpenApi;
  const zip = Buffer.from(
    await zipOf({
      "svc.json": JSON.stringify({ language: "node", command: "sim run", memoryMb: 256 }),
      "index.js": "",
    }),
  );
  const report: FuzzReport = { sent: 0, statuses: {}, succeeded: [], problems: [] };
  const succeeded = new Set<string>();
  const endMs = performance.now() + order.forMs;

  const worker = async (number: number) => {
    const random = new SeededRandom(order.seed * 1_000 + number);
    const values = new SchemaValues(document.components.schemas, random);
    const target: FuzzTarget = { ...order, host, operations: operationsOf(document), random, values, zip };
    while (performance.now() < endMs && report.problems.length < maxProblems) {
      const request = makeRequest(target);
      const manner = random.pick(manners);
      const { statuses, problems } = await exchange(place, request, manner, random);
      report.sent++;
      for (const status of statuses) {
        report.statuses[status] = (report.statuses[status] ?? 0) + 1;
        if (status < 300) succeeded.add(request.operationId);
      }
      const told = `${request.operationId}, ${manner}, ${request.bends.join(" and ") || "not bent"}: ${request.head.toString("latin1").slice(0, 300)}`;
      if (request.isOurs) report.problems.push(...problems.map((problem) => `${problem} (${told})`));
    }
  };
  using _slow = holdSlowConnections(place);
  await Promise.all(Array.from({ length: atOnce }, (_, number) => worker(number)));
  return { ...report, succeeded: [...succeeded] };
}

/** Opens connections that send heads which never end, a byte at a time. */
function holdSlowConnections(place: Place): Disposable {
  const sockets = Array.from({ length: slowConnections }, () => connect(place.port, place.host));
  for (const socket of sockets) {
    socket.on("error", () => {});
    socket.write("GET /api/projects HTTP/1.1\r\nX: ");
  }
  const drip = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write("x");
  }, 500);
  return {
    [Symbol.dispose]() {
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function operationsOf({ paths }: OpenApi): FuzzOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId, security, parameters = [], requestBody }]): FuzzOperation => {
        const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
        return {
          operationId,
          method: method.toUpperCase(),
          path,
          parameters: parameters.filter((parameter) => "in" in parameter),
          body: type === undefined || content === undefined ? null : { type, schema: content.schema },
          isForPanel: security.length === 1 && "session" in (security[0] ?? {}),
        };
      },
    ),
  );
}
