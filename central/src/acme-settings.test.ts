import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAcme } from "./acme-settings.ts";

const parsed = (given: Record<string, string>) => parseAcme((name, fallback) => given[name] ?? fallback);

test("gateways prove names at port 80 unless the operator says otherwise", () => {
  assert.equal(parsed({}).challenge, "http-01");
  assert.equal(parsed({ ACME_CHALLENGE: "tls-alpn-01" }).challenge, "tls-alpn-01");
});

test("a setting that cannot be right is refused by its name", () => {
  assert.throws(() => parsed({ ACME_CHALLENGE: "dns-01" }), {
    message: 'TIJOLO_ACME_CHALLENGE must be http-01 or tls-alpn-01, not "dns-01".',
  });
  assert.throws(
    () => parsed({ ACME_DIRECTORIES: "http://ca.example/dir" }),
    /^Error: TIJOLO_ACME_DIRECTORIES must be /,
  );
  assert.throws(
    () => parsed({ ACME_CONTACT: "nobody" }),
    /^Error: TIJOLO_ACME_CONTACT must be a mail address/,
  );
  assert.throws(
    () => parsed({ ACME_DNS_HOOK: "hook" }),
    /^Error: TIJOLO_ACME_DNS_HOOK must be an absolute path/,
  );
});
