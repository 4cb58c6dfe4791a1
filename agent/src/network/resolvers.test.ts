import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findHostResolvers, resolvConfText, resolversIn } from "./resolvers.ts";

test("only resolvers that a namespace can reach are used, three at most", () => {
  const text =
    "# nameserver 9.9.9.9\nnameserver 127.0.0.53\nnameserver fe80::1%eth0\nnameserver 10.0.0.2\n nameserver\t10.0.0.3\nsearch a.b\n";
  assert.deepEqual(resolversIn(text), ["10.0.0.2", "10.0.0.3"]);
  assert.equal(resolversIn("nameserver 10.0.0.1\n".repeat(5)).length, 3);
  assert.deepEqual(resolversIn("nameserver 1.1.1.1;drop\n"), []);
});

test("behind a stub on loopback its upstreams are asked, and public resolvers where there is nothing", async () => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-resolvers-"));
  try {
    const [stub, upstream] = [join(directory, "stub"), join(directory, "upstream")];
    await writeFile(stub, "nameserver 127.0.0.53\n");
    assert.equal((await findHostResolvers([stub, upstream])).isFromHost, false);
    await writeFile(upstream, "nameserver 192.168.1.1\n");
    assert.deepEqual(await findHostResolvers([stub, upstream]), {
      addresses: ["192.168.1.1"],
      isFromHost: true,
    });
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("the container's resolv.conf names the gateway alone", () => {
  assert.equal(resolvConfText(), "nameserver 169.254.1.1\noptions timeout:2 attempts:3\n");
});
