/** Tests the ACME client against pebble and against servers that answer nonsense. */

import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { suite, test } from "node:test";
import { AcmeClient, type AcmeServer } from "../../central/src/app/certificates/acme/acme-client.ts";
import type { OrderFault } from "@tijolo/protocol";
import { AcmeError } from "../../central/src/app/certificates/acme/acme-error.ts";
import { AcmeTransport } from "../../central/src/app/certificates/acme/acme-transport.ts";
import { renewalIdOf } from "../../central/src/app/certificates/acme/renewal-id.ts";
import {
  orderCertificate,
  type NameProofs,
} from "../../central/src/app/certificates/acme/order-certificate.ts";
import { newPrivateKey } from "../../central/src/app/certificates/new-certificate.ts";
import { Pebble } from "../support/certificates/pebble.ts";

const clock = { now: () => Date.now() };

/** Answers `http-01` for every name with one thumbprint, as a gateway does. */
async function answeringGateway() {
  const state = { thumbprint: "" };
  const server = createServer((request, response) => {
    const token = /^\/\.well-known\/acme-challenge\/([\w-]+)$/.exec(request.url ?? "")?.[1];
    response.statusCode = token === undefined ? 404 : 200;
    response.end(token === undefined ? "" : `${token}.${state.thumbprint}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    state,
    port: (server.address() as { port: number }).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const statelessProofs: NameProofs = { kindFor: () => "http-01", present: async () => async () => {} };

function newClient(pebble: Pick<Pebble, "directoryUrl" | "roots">, server: Partial<AcmeServer> = {}) {
  const transport = new AcmeTransport({ clock, moreRoots: pebble.roots, userAgent: "Tijolo test" });
  const client = new AcmeClient({
    server: { directoryUrl: pebble.directoryUrl, binding: null, ...server },
    accountKey: newPrivateKey(),
    contact: "ops@example.org",
    transport,
    clock,
    signal: AbortSignal.timeout(120_000),
  });
  return { client, [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose]() };
}

const failsAs = (fault: OrderFault, detail?: RegExp) => (error: unknown) =>
  error instanceof AcmeError && error.fault === fault && (detail === undefined || detail.test(error.message));

suite("the ACME client", { concurrency: 1 }, () => {
  test("orders a certificate, reads when to renew it, and renews it with what it replaces", async (t) => {
    await using gateway = await answeringGateway();
    await using pebble = await Pebble.start({ httpPort: gateway.port, refusedNonces: 50 });
    await using held = newClient(pebble);
    const { client } = held;
    gateway.state.thumbprint = client.thumbprint;
    const names = ["loja.example.org", "www.loja.example.org"];
    const startedAt = performance.now();
    const privateKey = newPrivateKey();
    const chain = await orderCertificate(client, {
      names,
      privateKey,
      replaces: null,
      proofs: statelessProofs,
    });
    t.diagnostic(`ordered in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    const certificate = new X509Certificate(chain);
    assert.ok(names.every((name) => certificate.checkHost(name) === name));
    assert.ok(certificate.checkPrivateKey(privateKey));
    assert.match(pebble.log, /bad nonce|badNonce|nonce/i);

    const id = renewalIdOf(certificate);
    assert.ok(id !== null);
    const window = await client.renewalWindow(id);
    assert.ok(window !== null && window.beginsAt < window.endsAt);
    assert.ok(window.endsAt <= Date.parse(certificate.validTo));
    const renewed = await orderCertificate(client, {
      names,
      privateKey,
      replaces: id,
      proofs: statelessProofs,
    });
    assert.notEqual(new X509Certificate(renewed).serialNumber, certificate.serialNumber);
    await orderCertificate(client, { names, privateKey, replaces: id, proofs: statelessProofs });
  });

  test("a validation that fails says for which name and why", async () => {
    await using gateway = await answeringGateway();
    await using pebble = await Pebble.start({ httpPort: gateway.port });
    await using held = newClient(pebble);
    gateway.state.thumbprint = "another";
    const order = { names: ["loja.example.org"], privateKey: newPrivateKey(), replaces: null };
    await assert.rejects(
      orderCertificate(held.client, { ...order, proofs: statelessProofs }),
      failsAs("validation", /^loja\.example\.org: /),
    );
  });

  test("an account that has to be bound is, with the operator's key and no other", async () => {
    await using gateway = await answeringGateway();
    const bindings = { "kid-1": "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W" };
    await using pebble = await Pebble.start({ httpPort: gateway.port, bindings });
    const order = { names: ["loja.example.org"], privateKey: newPrivateKey(), replaces: null };
    for (const binding of [
      null,
      { keyId: "kid-1", hmacKey: "d3Jvbmc" },
      { keyId: "kid-2", hmacKey: bindings["kid-1"] },
    ]) {
      await using held = newClient(pebble, { binding });
      await assert.rejects(held.client.openAccount(), failsAs("refused"), JSON.stringify(binding));
    }
    await using held = newClient(pebble, { binding: { keyId: "kid-1", hmacKey: bindings["kid-1"] } });
    gateway.state.thumbprint = held.client.thumbprint;
    assert.match(
      await orderCertificate(held.client, { ...order, proofs: statelessProofs }),
      /BEGIN CERTIFICATE/,
    );
  });

  test("an authority that is away is unreachable, also in the middle of an order", async () => {
    await using gateway = await answeringGateway();
    await using pebble = await Pebble.start({ httpPort: gateway.port });
    await using held = newClient(pebble);
    const proofs: NameProofs = {
      kindFor: () => "http-01",
      present: async () => {
        await pebble.stop();
        return async () => {};
      },
    };
    const order = { names: ["loja.example.org"], privateKey: newPrivateKey(), replaces: null };
    await assert.rejects(orderCertificate(held.client, { ...order, proofs }), failsAs("unreachable"));
    await using late = newClient(pebble);
    await assert.rejects(late.client.openAccount(), failsAs("unreachable"));
  });
});
