import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "@tijolo/protocol";
import { arePasskeysAvailable, relyingPartyAt } from "./relying-party.ts";

const at = (url: string) => ({ panel: { url: () => url } });
const secure = at("https://painel.example.org");
const own = at("http://127.0.0.1:8080");

test("passkeys are bound to the panel's own name, and to localhost", () => {
  const party = { id: "painel.example.org", origin: "https://painel.example.org" };
  assert.deepEqual(relyingPartyAt(secure, "painel.example.org"), party);
  assert.deepEqual(relyingPartyAt(secure, "Painel.Example.org"), party);
  const local = { id: "localhost", origin: "http://localhost:8080" };
  for (const app of [own, secure]) assert.deepEqual(relyingPartyAt(app, "localhost:8080"), local);
  assert.deepEqual(relyingPartyAt(at("https://localhost:8443"), "localhost:8443"), {
    id: "localhost",
    origin: "https://localhost:8443",
  });
  assert.deepEqual(relyingPartyAt(at("https://painel.example.org:8443"), "painel.example.org:8443"), {
    id: "painel.example.org",
    origin: "https://painel.example.org:8443",
  });
});

test("anywhere else there are none, and the reason says what would help", () => {
  const cases = [
    [own, "127.0.0.1:8080", /Open the panel at http:\/\/localhost:8080/],
    [own, "[::1]:8080", /Open the panel at http:\/\/localhost:8080/],
    [at("http://192.0.2.1:8080"), "192.0.2.1:8080", /not an IP/],
    [at("https://[2001:db8::1]"), "[2001:db8::1]", /not an IP/],
    [at("http://painel.lan"), "painel.lan", /only over https/],
    [secure, "192.0.2.1:8080", /Open the panel at https:\/\/painel\.example\.org/],
    [secure, "evil.example", /Open the panel at https:\/\/painel\.example\.org/],
    [secure, "localhost.evil.example", /Open the panel at/],
    [secure, "localhost@evil.example", /Open the panel at/],
    [secure, "", /Open the panel at/],
    [secure, undefined, /Open the panel at/],
  ] as const;
  for (const [app, host, reason] of cases) {
    assert.equal(arePasskeysAvailable(app, host), false, host);
    assert.throws(
      () => relyingPartyAt(app, host),
      (error) =>
        error instanceof AppError &&
        error.code === "passkeys_unavailable" &&
        reason.test(error.detail?.en ?? ""),
      host,
    );
  }
});
