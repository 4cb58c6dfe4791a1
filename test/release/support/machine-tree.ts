/**
 * Makes the trees that booted machines start from, once per recipe: Debian 13 with systemd, and with what a host
 * needs or without.
 */

import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../../agent/src/host/exec.ts";

const suite = "trixie";
const least = ["systemd", "systemd-sysv", "dbus", "iproute2", "curl", "ca-certificates", "procps"];
const whole = [...least, "systemd-container", "haproxy", "mmdebstrap", "nftables", "e2fsprogs"];
const packages = {
  whole,
  bare: least,
  /** With a kernel, and the agent by which the host of a virtual machine runs programs in it. */
  virtual: [
    ...whole,
    "wireguard-tools",
    "linux-image-cloud-amd64",
    "zstd",
    "udev",
    "kmod",
    "qemu-guest-agent",
  ],
};
export type TreeKind = keyof typeof packages;
export type ContainerTree = Exclude<TreeKind, "virtual">;
const kinds = ["whole", "bare", "virtual"] as const satisfies TreeKind[];
const draftPrefix = "making-";
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
export async function machineTree(kind: TreeKind = "whole"): Promise<string> {
  const name = nameOf(kind);
  const tree = join(directory, name);
  if (await isThere(tree)) return tree;
  await mkdir(directory, { recursive: true });
  const draft = await mkdtemp(join(directory, draftPrefix));
  try {
    const root = join(draft, "root");
    const argv = ["mmdebstrap", "--quiet", "--mode=root", "--variant=minbase", "--format=directory"];
    await exec([...argv, `--include=${packages[kind].join(",")}`, suite, root], {
      timeoutMs: buildTimeoutMs,
    });
    for (const unit of maskedUnits) await symlink("/dev/null", join(root, "etc/systemd/system", unit));
    await rm(join(root, "etc/machine-id"), { force: true });
    await writeFile(join(root, "etc/machine-id"), "");
    // systemd keeps the mode when it fills the file, and systemd-networkd reads it as a user without rights.
    await chmod(join(root, "etc/machine-id"), 0o444);
    // Another test file may have been quicker.
    await rename(root, tree).catch(async (error: unknown) => {
      if (!(await isThere(tree))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  const names = kinds.map(nameOf);
  for (const other of await readdir(directory))
    if (!names.includes(other) && !other.startsWith(draftPrefix))
      await rm(join(directory, other), { recursive: true, force: true });
  return tree;
}

function nameOf(kind: TreeKind): string {
  const recipe = JSON.stringify([suite, packages[kind], maskedUnits]);
  return `${kind}-${createHash("sha256").update(recipe).digest("hex").slice(0, 16)}`;
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
