/** A release on the internet: machines with systemd of their own, a name server, an authority, and no way out. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pebblePrograms } from "../support/certificates/pebble-programs.ts";
import { placePackages } from "./support/fetched-packages.ts";
import { runInNamespaces } from "../support/machine/in-namespaces.ts";
import { makeRelease } from "./support/made-release.ts";
import { machineTree } from "./support/machine-tree.ts";

const drill = join(import.meta.dirname, "support/internet-drill.ts");

test("a cluster is installed by its release, and serves sites and the panel over HTTPS", async (context) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-test-internet-"));
  try {
    // From inside nothing can be fetched.
    await machineTree();
    await pebblePrograms();
    const release = await makeRelease(directory);
    await placePackages(release);
    const lines: string[] = [];
    const onLine = (line: string) => {
      lines.push(line);
      context.diagnostic(line);
    };
    const argv = [process.execPath, drill, directory, release];
    const code = await runInNamespaces(argv, { ownProcesses: true, onLine });
    assert.equal(code, 0, lines.join("\n"));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
