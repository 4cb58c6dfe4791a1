/** Makes the tree that booted machines start from: Debian 13 with systemd and what a host needs, once per recipe. */

import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../../agent/src/host/exec.ts";

const suite = "trixie";
const packages = [
  "systemd",
  "systemd-sysv",
  "systemd-container",
  "dbus",
  "haproxy",
  "mmdebstrap",
  "nftables",
  "iproute2",
  "e2fsprogs",
  "curl",
  "ca-certificates",
  "procps",
];
/** Names the units that only cost time in a test, or would listen where the test's programs do. */
const maskedUnits = [
  "apt-daily.timer",
  "apt-daily-upgrade.timer",
  "dpkg-db-backup.timer",
  "e2scrub_all.timer",
  "e2scrub_reap.service",
  "console-getty.service",
  "fstrim.timer",
];
const buildTimeoutMs = 900_000;
const directory = join(import.meta.dirname, "..", "..", "..", ".tools", "booted-machines");

/** Returns the path of the tree; machines change a copy of it. Those of other recipes are removed. */
export async function machineTree(): Promise<string> {
  const recipe = JSON.stringify([suite, packages, maskedUnits]);
  const name = `debian-${createHash("sha256").update(recipe).digest("hex").slice(0, 16)}`;
  const tree = join(directory, name);
  if (await isThere(tree)) return tree;
  await mkdir(directory, { recursive: true });
  const draft = await mkdtemp(join(directory, "making-"));
  try {
    const root = join(draft, "root");
    const argv = ["mmdebstrap", "--quiet", "--mode=root", "--variant=minbase", "--format=directory"];
    await exec([...argv, `--include=${packages.join(",")}`, suite, root], { timeoutMs: buildTimeoutMs });
    for (const unit of maskedUnits) await symlink("/dev/null", join(root, "etc/systemd/system", unit));
    await rm(join(root, "etc/machine-id"), { force: true });
    await writeFile(join(root, "etc/machine-id"), "");
    // Another test file may have been quicker.
    await rename(root, tree).catch(async (error: unknown) => {
      if (!(await isThere(tree))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  for (const other of await readdir(directory))
    if (other.startsWith("debian-") && other !== name)
      await rm(join(directory, other), { recursive: true, force: true });
  return tree;
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
