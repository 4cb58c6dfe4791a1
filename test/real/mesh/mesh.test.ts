/** Projects of one account reach each other on hosts that are separate machines, and nobody else's. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Tools } from "../../../agent/src/host/checks/tools.ts";
import { findWireguard } from "../../../agent/src/mesh/wireguard-programs.ts";
import { findHaproxy } from "@tijolo/gateway";
import { haproxyDirectory } from "../../support/machine/haproxy.ts";
import { runInNamespaces } from "../../support/machine/in-namespaces.ts";
import { ensureImage, testCache } from "../support/images/kept-images.ts";

const drill = join(import.meta.dirname, "mesh-drill.ts");
const initScript = join(import.meta.dirname, "../../../agent/src/runtime/nspawn/init.sh");

test("projects of one account reach each other across hosts: by UDP, from behind NAT, and over central where UDP is dropped", async (context) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-test-mesh-"));
  try {
    // From inside nothing can be fetched.
    await ensureImage("node");
    await Tools.create({ dataDirectory: testCache, initScript });
    const programs = await findWireguard(join(testCache, "tools"), () => {});
    await programs.wireguardGo();
    await findHaproxy({ toolsDirectory: haproxyDirectory });
    const lines: string[] = [];
    const onLine = (line: string) => {
      lines.push(line);
      context.diagnostic(line);
    };
    const code = await runInNamespaces([process.execPath, drill, directory], { ownProcesses: false, onLine });
    assert.equal(code, 0, lines.join("\n"));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
