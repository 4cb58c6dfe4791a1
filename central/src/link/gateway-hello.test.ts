/** A gateway whose hello is overtaken: by the end of its connection, or by its removal. */

import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { helloSignatureText, linkProtocol } from "@tijolo/protocol";
import { AgentConnection } from "./agent-connection.ts";

const gatewayId = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const silent = { info() {}, warn() {}, error() {}, debug() {} };

/** Says hello as a gateway; `meanwhile` happens while central notes that it is connected. */
async function hello(meanwhile: (parts: { connection: AgentConnection; remove: () => void }) => void) {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  let key = publicKey.export({ format: "jwk" }).x;
  let connections = 0;
  const gateways = {
    findKey: async () => key,
    async connected() {
      connections += 1;
      meanwhile({ connection, remove: () => (key = undefined) });
      return { epoch: 1 };
    },
    disconnected: () => (connections -= 1),
  };
  const site = { gateways, logger: silent, bounds: { maxCalls: 10 }, protocol: linkProtocol };
  const rest = {
    backend: {},
    hosts: {},
    random: (bytes: number) => new Uint8Array(bytes),
    sentSets: new Map(),
  };
  const transport = {
    network: "x",
    address: null,
    isPrivate: true,
    welcomed() {},
    cut() {},
    unsentBytes: () => 0,
  };
  const connection = new AgentConnection(
    { ...site, ...rest, refusals: { note() {} } } as never,
    transport as never,
  );
  const { nonce } = await connection.challenge();
  const text = helloSignatureText({ hostId: gatewayId, socket: "gateway", nonce, channel: undefined });
  const signature = sign(null, Buffer.from(text), privateKey).toString("base64url");
  const said = { gatewayId, signature, protocol: linkProtocol, build: "1", machine: "m" };
  const outcome = await connection.gatewayHello(said as never).then(
    () => "welcome",
    (error: Error) => error.message,
  );
  return { outcome, connections };
}

test("one that goes on is connected", async () => {
  assert.deepEqual(await hello(() => {}), { outcome: "welcome", connections: 1 });
});

test("one whose connection ends meanwhile is not connected", async () => {
  const { outcome, connections } = await hello(({ connection }) => connection.ended());
  assert.notEqual(outcome, "welcome");
  assert.equal(connections, 0);
});

test("one that is removed meanwhile is refused", async () => {
  const { outcome, connections } = await hello(({ remove }) => remove());
  assert.match(outcome, /removed/);
  assert.equal(connections, 0);
});
