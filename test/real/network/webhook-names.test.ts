/**
 * Webhooks to names that lead inside, by way of a real DNS server in a network namespace of the test: nothing
 * inside is connected to, whatever a name's answer is.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Visits } from "../support/network/webhook-visits.ts";

const program = join(import.meta.dirname, "../support/network/webhook-visits.ts");
/** Gives the namespace its addresses and its own resolver, and becomes the program. */
const script = `set -e
ip link set lo up
for address in 93.184.216.34 10.1.2.3 169.254.169.254; do ip address add "$address/32" dev lo; done
mount --bind "$1" /etc/resolv.conf
exec "$2" "$3"`;

test("a webhook reaches a public address that its name has, and no other one", async () => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-webhook-names-"));
  await using resources = new AsyncDisposableStack();
  resources.defer(() => rm(directory, { recursive: true }));
  const resolvConf = join(directory, "resolv.conf");
  await writeFile(resolvConf, "nameserver 127.0.0.1\n");
  const argv = ["--net", "--mount", "sh", "-c", script, "sh", resolvConf, process.execPath, program];
  const output = execFileSync("unshare", argv, { encoding: "utf8", timeout: 120_000 });
  const { there, posts } = JSON.parse(output) as Visits;
  assert.deepEqual(there, ["93.184.216.34", "127.0.0.1", "10.1.2.3", "169.254.169.254", "[::1]"]);

  const outcomes = (mayReachPrivate: boolean) =>
    Object.fromEntries(
      posts
        .filter((post) => post.mayReachPrivate === mayReachPrivate)
        .map(({ url, result, reached }) => [url, [result, ...reached]]),
    );
  const outside = {
    "outside.example/hook": ["sent", "93.184.216.34/hook"],
    "outside.example/redirect": ["redirect", "93.184.216.34/redirect"],
    "metadata.example/hook": ["private_address"],
    "mapped.example/hook": ["private_address"],
    "none.example/hook": ["unreachable"],
  };
  assert.deepEqual(outcomes(false), {
    ...outside,
    "loopback.example/hook": ["private_address"],
    "home.example/hook": ["private_address"],
    "six.example/hook": ["private_address"],
    "chain.example/hook": ["private_address"],
    "mixed.example/hook": ["sent", "93.184.216.34/hook"],
  });
  // They are there, and reached where an operator allows private networks.
  const { "mixed.example/hook": mixed, ...allowed } = outcomes(true);
  assert.deepEqual(allowed, {
    ...outside,
    "loopback.example/hook": ["sent", "127.0.0.1/hook"],
    "home.example/hook": ["sent", "10.1.2.3/hook"],
    "six.example/hook": ["sent", "::1/hook"],
    "chain.example/hook": ["sent", "10.1.2.3/hook"],
  });
  assert.equal(mixed?.[0], "sent");
});
