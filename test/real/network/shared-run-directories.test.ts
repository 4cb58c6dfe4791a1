/**
 * Tests directories below /run that the agent makes and others on its host use: `ip netns` and machinectl of
 * any user. Needs root.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const agent = join(import.meta.dirname, "../../../agent/src");

/** In a mount namespace of its own, whose /run is empty. */
const program = `
  import { existsSync, statSync } from "node:fs";
  import { makeNamespaces } from "${agent}/network/namespace.ts";
  import { launchContainer } from "${agent}/runtime/nspawn/container.ts";
  const paths = ["/run/netns", "/run/systemd", "/run/systemd/nspawn"];
  const found = paths.filter((path) => existsSync(path));
  process.umask(0o077);
  await makeNamespaces([]);
  await launchContainer({ run: "/run/none" }, { start: async () => { throw new Error("there is no supervisor"); } }).catch(() => {});
  const modes = paths.map((path) => (statSync(path).mode & 0o777).toString(8));
  console.log(JSON.stringify({ found, modes }));
`;

test("what others on the host use is open to them, whatever the agent's umask", async () => {
  const script =
    'mount -t tmpfs tmpfs /run && exec "$0" --disable-warning=ExperimentalWarning --input-type=module --eval "$1"';
  const { stdout } = await promisify(execFile)("unshare", [
    "--mount",
    "sh",
    "-c",
    script,
    process.execPath,
    program,
  ]);
  assert.deepEqual(JSON.parse(stdout), { found: [], modes: ["755", "755", "755"] });
});
