/**
 * Brings the HAProxy that a gateway needs: Debian's package where it is new enough, out of central's own set of
 * packages where that has it, otherwise a tree of Debian 13's packages, which the gateway's own program fetches.
 */

import { join } from "node:path";
import { compareVersions, oldestHaproxy } from "@tijolo/protocol";
import type { Messages } from "../../messages.ts";
import { installPackages } from "./host-packages.ts";
import { PackageSource } from "./package-source.ts";
import { places } from "../places.ts";
import { treeRoot } from "../release-tree.ts";
import { runProgram, succeeds } from "../run-program.ts";
import { inParts, type Undo } from "../steps.ts";

const fetchTimeoutMs = 15 * 60_000;
const ownService = "haproxy.service";

/** `file` is central's set of packages for this machine's system, if it has one. */
export async function provideHaproxy(
  messages: Pick<Messages, "install">,
  file: string | null,
): Promise<Undo | null> {
  if (await isThere()) return null;
  await using own = file === null ? null : await PackageSource.open(file, messages);
  const source = own?.has("haproxy") === true ? own : null;
  return await inParts(async (note) => {
    note(async () => {}); // what is fetched into /opt/tijolo/tools stays, for the next time
    if (source !== null || (await isInArchive())) {
      note(await installPackages(["haproxy"], source));
      // The package starts one of its own, which the gateway does not use.
      await runProgram(["systemctl", "disable", "--quiet", "--now", ownService], { okCodes: [0, 1, 5] });
      if (await isThere()) return;
    }
    const hasMmdebstrap = await succeeds(["mmdebstrap", "--version"]);
    note(await installPackages(hasMmdebstrap ? [] : ["mmdebstrap"], own));
    await prepare([], { timeoutMs: fetchTimeoutMs });
  });
}

/** Returns true when the gateway's program finds one, here or in what it has fetched before. */
async function isThere(): Promise<boolean> {
  return prepare(["--no-fetch"]).then(
    () => true,
    () => false,
  );
}

async function prepare(options: string[], limits: { timeoutMs?: number } = {}): Promise<void> {
  const program = join(treeRoot, "central/gateway/src/prepare.js");
  const setting = `TIJOLO_TOOLS_DIRECTORY=${places.tools}`;
  await runProgram(["env", setting, join(treeRoot, "bin/node"), program, ...options], limits);
}

/** Returns true when the system's archive has a HAProxy that is new enough. */
async function isInArchive(): Promise<boolean> {
  const policy = () => runProgram(["apt-cache", "policy", "haproxy"]).then(({ stdout }) => stdout);
  const [, version] = /Candidate: (?:\d+:)?(\d+\.\d+)/.exec(await policy().catch(() => "")) ?? [];
  return version !== undefined && compareVersions(version, oldestHaproxy) >= 0;
}
