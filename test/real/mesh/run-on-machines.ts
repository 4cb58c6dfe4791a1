/** Runs a program that makes machines of its own (`machines.ts`), once all that it needs is here. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findHaproxy } from "@tijolo/gateway";
import { Tools } from "../../../agent/src/host/checks/tools.ts";
import { findWireguard } from "../../../agent/src/mesh/wireguard-programs.ts";
import { findNginx } from "../../../agent/src/statics/find-nginx.ts";
import { haproxyDirectory } from "../../support/machine/haproxy.ts";
import { runInNamespaces } from "../../support/machine/in-namespaces.ts";
import { ensureImage, testCache } from "../support/images/kept-images.ts";

const initScript = join(import.meta.dirname, "../../../agent/src/runtime/nspawn/init.sh");

/** Runs the file with a directory of its own as its argument. Resolves with the exit code. */
export async function runOnMachines(file: string, onLine: (line: string) => void): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-test-mesh-"));
  try {
    // From inside nothing can be fetched.
    await ensureImage("node");
    await Tools.create({ dataDirectory: testCache, initScript });
    const programs = await findWireguard(join(testCache, "tools"), () => {});
    await programs.wireguardGo();
    await findNginx({ toolsDirectory: join(testCache, "tools"), onFetch: () => {} });
    await findHaproxy({ toolsDirectory: haproxyDirectory });
    return await runInNamespaces([process.execPath, file, directory], { ownProcesses: false, onLine });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
