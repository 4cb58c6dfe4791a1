/**
 * A central that is not there, does not speak, or is something else: clear words, no haste, and a way to
 * stop.
 */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { loadIdentity, joinCluster } from "@tijolo/protocol/kit/link";
import { until } from "../support/until.ts";
import { LinkBench } from "./link-bench.ts";

test("joining a central that is not there, is silent, or is another program fails with a sentence", async () => {
  await using bench = await LinkBench.create();
  const identity = await loadIdentity(join(bench.directory, "key"));
  const joining = (port: number, timeoutMs = 30_000) =>
    joinCluster({ centralUrl: `http://127.0.0.1:${port}`, token: "t", name: "host", identity, timeoutMs });
  await assert.rejects(joining(1), /Joining http:\/\/127\.0\.0\.1:1 failed: .*ECONNREFUSED/);

  const silent = createTcpServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  await assert.rejects(joining((silent.address() as AddressInfo).port, 500), /did not answer within 500 ms/);
  silent.close();

  const other = createServer((_, response) => response.writeHead(200).end("hello"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  await assert.rejects(joining((other.address() as AddressInfo).port), /Unexpected server response/);
  other.close();
});

test("an agent whose central is not there keeps trying with growing pauses, and closes at once", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const link = bench.connect(host, {
    url: "http://127.0.0.1:1",
    bounds: { backOffMinMs: 10, backOffMaxMs: 100 },
  });
  await until(
    () => host.logger.entries.filter(({ message }) => message.includes("trying again")).length >= 6,
  );
  const startedAtMs = performance.now();
  await link.close();
  assert.ok(performance.now() - startedAtMs < 500);
  assert.equal(link.state, "closed");
});

test("an agent closes at once also in the middle of connecting and of describing itself", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const silent = createTcpServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const startedAtMs = performance.now();
  await bench.connect(host, { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` }).close();
  await bench.connect(host, { handlers: { describe: () => new Promise(() => {}) } }).close();
  assert.ok(performance.now() - startedAtMs < 1_000);
  silent.close();
});

test("an address of central that is none is refused before anything is tried", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  for (const url of ["", "central", "central:8080", "ftp://central"])
    assert.throws(() => bench.connect(host, { url }), /is no address/, url);
});

test("an agent says of a host that central does not know that it is refused", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  bench.backend.keys.clear();
  bench.connect(host);
  await until(() => host.logger.has("central refuses this host"));
  assert.ok(host.logger.has("Unknown or revoked host"));
});
