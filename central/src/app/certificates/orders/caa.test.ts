import assert from "node:assert/strict";
import { test } from "node:test";
import { mayIssue } from "./caa.ts";

const ours = ["ca.example"];

/** Judges with these records by name. */
const judge = (name: string, records: Record<string, string[]>, identities = ours) =>
  mayIssue(name, { identities, find: async (at) => records[at] ?? [] });

test("the nearest name with records decides, and without any everybody may issue", async () => {
  assert.equal(await judge("a.b.example.org", {}), true);
  assert.equal(await judge("a.b.example.org", { "example.org": ["0 issue ca.example"] }), true);
  assert.equal(await judge("a.b.example.org", { "example.org": ["0 issue other.example"] }), false);
  const split = {
    "b.example.org": ["0 issue CA.example; validationmethods=http-01"],
    "example.org": ["0 issue ;"],
  };
  assert.equal(await judge("a.b.example.org", split), true);
  assert.equal(await judge("c.example.org", split), false);
  assert.equal(await judge("a.example.org", { "example.org": ["0 iodef mailto:a@example.org"] }), true);
});

test("wildcards follow issuewild where it stands, and others do not", async () => {
  const both = { "example.org": ["0 issue ca.example", "0 issuewild other.example"] };
  assert.equal(await judge("*.example.org", both), false);
  assert.equal(await judge("www.example.org", both), true);
  assert.equal(await judge("*.example.org", { "example.org": ["0 issue ca.example"] }), true);
  assert.equal(await judge("www.example.org", { "example.org": ["0 issuewild ;"] }), true);
});

test("a critical record that nobody knows forbids; an authority without names is not judged", async () => {
  assert.equal(await judge("example.org", { "example.org": ["128 future x", "0 issue ca.example"] }), false);
  assert.equal(await judge("example.org", { "example.org": ["0 issue other.example"] }, []), true);
});
