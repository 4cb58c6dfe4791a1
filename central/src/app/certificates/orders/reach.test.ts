import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { checkReach } from "./reach.ts";

const thumbprint = "t".repeat(43);
const parts = { addresses: ["127.0.0.1"], thumbprint, random: (bytes: number) => randomBytes(bytes) };

test("a gateway that is about to serve is waited for", async () => {
  const gateway = createServer((request, response) =>
    response.end(`${request.url?.split("/").at(-1)}.${thumbprint}`),
  ).listen(0, "127.0.0.1");
  await once(gateway, "listening");
  const { port } = gateway.address() as AddressInfo;
  gateway.close();
  await once(gateway, "close");
  const reached = checkReach("loja.example", parts, { port, signal: AbortSignal.timeout(30_000) });
  await delay(700);
  gateway.listen(port, "127.0.0.1");
  await reached;
  gateway.closeAllConnections();
  gateway.close();
});

test("an address that answers as somebody else is a fault", async () => {
  const stranger = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
  await once(stranger, "listening");
  const { port } = stranger.address() as AddressInfo;
  const reached = checkReach("loja.example", parts, { port, signal: AbortSignal.timeout(30_000) });
  await assert.rejects(reached, /leads to 127\.0\.0\.1, which is not this cluster/);
  stranger.close();
});
