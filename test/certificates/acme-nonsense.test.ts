/** Tests the ACME client against an authority that answers nonsense, at each step of an order. */

import assert from "node:assert/strict";
import { createPublicKey, randomBytes } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { suite, test } from "node:test";
import { AcmeClient } from "../../central/src/app/certificates/acme/acme-client.ts";
import type { OrderFault } from "@tijolo/protocol";
import { AcmeError } from "../../central/src/app/certificates/acme/acme-error.ts";
import { AcmeTransport } from "../../central/src/app/certificates/acme/acme-transport.ts";
import { orderCertificate } from "../../central/src/app/certificates/acme/order-certificate.ts";
import { newPrivateKey } from "../../central/src/app/certificates/new-certificate.ts";
import { signAuthority, signServer } from "../../central/src/app/certificates/x509/sign-certificate.ts";

const clock = { now: () => Date.now() };
const validity = { beginsAt: Date.now() - 3_600_000, endsAt: Date.now() + 3_600_000 };
const issuer = { name: "Test of Tijolo", privateKey: newPrivateKey() };
const roots = signAuthority(issuer, { domains: ["localhost"], validity, random: randomBytes });
const certify = (names: string[], key = newPrivateKey()) => ({
  key: key.export({ type: "pkcs8", format: "pem" }).toString(),
  chain: signServer(issuer, { names, publicKey: createPublicKey(key), validity, random: randomBytes }),
});

type Step = "dir" | "nonce" | "account" | "order" | "authz" | "challenge" | "finalize" | "certificate";
type Answers = Record<Step, (response: ServerResponse, base: string) => void>;

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) => {
  response.writeHead(status, { "content-type": "application/json", "replay-nonce": "n0nce", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
};

/** Answers of an authority that does everything right, but for the certificate, which is for another key. */
const right: Answers = {
  dir: (response, base) =>
    json(response, 200, {
      newNonce: `${base}/nonce`,
      newAccount: `${base}/account`,
      newOrder: `${base}/order`,
    }),
  nonce: (response) => json(response, 200, ""),
  account: (response, base) => json(response, 201, { status: "valid" }, { location: `${base}/account/1` }),
  order: (response, base) =>
    json(
      response,
      200,
      {
        status: "valid",
        authorizations: [`${base}/authz`],
        finalize: `${base}/finalize`,
        certificate: `${base}/certificate`,
      },
      { location: `${base}/order` },
    ),
  authz: (response, base) =>
    json(response, 200, {
      status: "valid",
      identifier: { type: "dns", value: "a.example" },
      challenges: [{ type: "http-01", url: `${base}/challenge`, status: "valid", token: "t0ken" }],
    }),
  challenge: (response) => json(response, 200, {}),
  finalize: (response) => json(response, 200, {}),
  certificate: (response) => json(response, 200, certify(["a.example"]).chain),
};

/** Orders from an authority with these answers. Returns the fault. */
async function faultWith(answers: Partial<Answers>): Promise<AcmeError> {
  const own = certify(["127.0.0.1"]);
  const server = createServer({ cert: own.chain, key: own.key }, (request, response) => {
    const step = (request.url ?? "").split("/")[1] as Step;
    const base = `https://${request.headers.host}`;
    request.resume();
    ({ ...right, ...answers })[step](response, base);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await using transport = new AcmeTransport({ clock, moreRoots: roots, userAgent: "Tijolo test" });
  const client = new AcmeClient({
    server: { directoryUrl: `https://127.0.0.1:${port}/dir`, binding: null },
    accountKey: newPrivateKey(),
    contact: null,
    transport,
    clock,
    signal: AbortSignal.timeout(60_000),
  });
  const proofs = { kindFor: () => "http-01" as const, present: async () => async () => {} };
  try {
    await orderCertificate(client, {
      names: ["a.example"],
      privateKey: newPrivateKey(),
      replaces: null,
      proofs,
    });
  } catch (error) {
    assert.ok(error instanceof AcmeError, String(error));
    return error;
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return assert.fail("the order went through");
}

suite("an authority that answers nonsense", { concurrency: 2 }, () => {
  test("at any step it ends the order with its reason, and nothing else", async () => {
    const html = (response: ServerResponse) => json(response, 200, "<html>welcome</html>");
    const empty = (response: ServerResponse) => json(response, 200, {});
    const cases: [OrderFault, string, Partial<Answers>][] = [
      ["nonsense", "a page in place of the directory", { dir: html }],
      ["nonsense", "a directory without addresses", { dir: empty }],
      [
        "nonsense",
        "addresses without TLS",
        {
          dir: (response) =>
            json(response, 200, {
              newNonce: "http://127.0.0.1/",
              newAccount: "file:///etc/passwd",
              newOrder: "x",
            }),
        },
      ],
      [
        "nonsense",
        "a redirect",
        { dir: (response) => json(response, 302, "", { location: "https://127.0.0.1/" }) },
      ],
      ["unreachable", "a broken server", { dir: (response) => json(response, 503, "try later") }],
      [
        "unreachable",
        "an answer that breaks off",
        {
          dir: (response) =>
            void (response.writeHead(200, { "content-length": "99" }),
            response.write("{"),
            response.destroy()),
        },
      ],
      ["nonsense", "an answer without end", { dir: (response) => json(response, 200, "a".repeat(600_000)) }],
      ["nonsense", "no nonce", { nonce: (response) => void response.end() }],
      [
        "nonsense",
        "an account without an address",
        { account: (response) => json(response, 201, { status: "valid" }) },
      ],
      [
        "refused",
        "nonces that are never good",
        { account: (response) => json(response, 400, { type: "urn:ietf:params:acme:error:badNonce" }) },
      ],
      [
        "rate_limited",
        "a limit",
        {
          account: (response) =>
            json(
              response,
              429,
              { type: "urn:ietf:params:acme:error:rateLimited", detail: "too\\u0007 many\\n" },
              { "retry-after": "120" },
            ),
        },
      ],
      [
        "nonsense",
        "an order that is a list",
        { order: (response) => json(response, 201, [], { location: "https://127.0.0.1/" }) },
      ],
      [
        "refused",
        "an order that becomes invalid",
        {
          order: (response, base) =>
            json(
              response,
              201,
              {
                status: "invalid",
                authorizations: [],
                finalize: `${base}/finalize`,
                error: { detail: "no" },
              },
              { location: `${base}/order` },
            ),
        },
      ],
      ["nonsense", "an authorization in another form", { authz: html }],
      [
        "refused",
        "only challenges that nobody knows",
        {
          authz: (response, base) =>
            json(response, 200, {
              status: "pending",
              identifier: { type: "dns", value: "a.example" },
              challenges: [{ type: "magic-01", url: base, status: "pending", token: "x" }],
            }),
        },
      ],
      [
        "refused",
        "a token with a path in it",
        {
          authz: (response, base) =>
            json(response, 200, {
              status: "pending",
              identifier: { type: "dns", value: "a.example" },
              challenges: [{ type: "http-01", url: base, status: "pending", token: "../../etc" }],
            }),
        },
      ],
      ["nonsense", "no certificate", { certificate: html }],
      ["nonsense", "a certificate for another key", {}],
      [
        "nonsense",
        "a certificate for other names",
        { certificate: (response) => json(response, 200, certify(["b.example"]).chain) },
      ],
    ];
    for (const [fault, what, answers] of cases) {
      const error = await faultWith(answers);
      assert.equal(error.fault, fault, `${what}: ${error.message}`);
      assert.ok(error.message.length <= 500 && !/\p{Cc}/u.test(error.message), what);
      if (fault === "rate_limited") assert.ok((error.retryAt ?? 0) > Date.now() + 100_000);
    }
  });
});
