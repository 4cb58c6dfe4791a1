/**
 * Builds the virtual machine's disk (Debian 13 with systemd, and a container root inside it) once per recipe.
 */

import { createHash } from "node:crypto";
import {
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { exec } from "../../agent/src/host/exec.ts";
import { bootFilesIn, makeBootFiles } from "./boot-files.ts";
import type { BootFiles } from "./qemu-argv.ts";

const suite = "trixie";

/** Packages that a Tijolo host needs, and a kernel. */
const packages = [
  "systemd",
  "systemd-sysv",
  "systemd-container",
  "udev",
  "dbus",
  "linux-image-cloud-amd64",
  "zstd",
  "nftables",
  "iproute2",
  "mmdebstrap",
  "mawk",
  "ca-certificates",
  "util-linux",
  "procps",
  "kmod",
  "attr",
  "e2fsprogs",
  "xfsprogs",
];

/**
 * A console login and timers that only cost time; /tmp as a tmpfs would charge its files to the tests'
 * memory.
 */
const maskedUnits = [
  "serial-getty@ttyS0.service",
  "apt-daily.timer",
  "apt-daily-upgrade.timer",
  "dpkg-db-backup.timer",
  "e2scrub_all.timer",
  "e2scrub_reap.service",
  "getty@tty1.service",
  "tmp.mount",
];

const guestUnits = ["tijolo-vm.service", "opt-tijolo.mount"];

/** Path of the tree that containers inside the machine use as their root. */
const containerRoot = "var/cache/tijolo-vm/rootfs";

const diskSize = "8G";
const buildTimeoutMs = 900_000;
const guestDirectory = join(import.meta.dirname, "guest");

/**
 * The image of the present recipe under `cacheDirectory`, built if it is not there; images of other recipes
 * are removed.
 */
export async function getImage(
  cacheDirectory: string,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<BootFiles> {
  const name = `image-${await recipeDigest()}`;
  const directory = join(cacheDirectory, name);
  await mkdir(cacheDirectory, { recursive: true });
  if (!(await exists(directory))) {
    say(`building the disk image ${name} (once per recipe, a minute or two)`);
    await build(directory, say, signal);
    for (const other of await readdir(cacheDirectory)) {
      if (other.startsWith("image-") && other !== name)
        await rm(join(cacheDirectory, other), { recursive: true });
    }
  }
  return bootFilesIn(directory);
}

async function recipeDigest(): Promise<string> {
  const digest = createHash("sha256").update(await readFile(import.meta.filename));
  for (const unit of guestUnits) digest.update(await readFile(join(guestDirectory, unit)));
  return digest.digest("hex").slice(0, 16);
}

async function build(directory: string, say: (line: string) => void, signal: AbortSignal): Promise<void> {
  const building = await mkdtemp(join(dirname(directory), "building-"));
  try {
    const root = join(building, "root");
    say(`  Debian ${suite} with ${packages.length} packages`);
    await debootstrap(root, ["--include", packages.join(",")], signal);
    say("  container root inside it");
    await mkdir(join(root, dirname(containerRoot)), { recursive: true });
    await debootstrap(join(root, containerRoot), [], signal);
    await configure(root);
    say("  file system");
    await makeBootFiles(root, building, { size: diskSize, signal });
    await rm(root, { recursive: true });
    await publish(building, directory);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

async function debootstrap(target: string, options: string[], signal: AbortSignal): Promise<void> {
  const argv = [
    "mmdebstrap",
    "--quiet",
    "--mode=root",
    "--variant=minbase",
    "--format=directory",
    ...options,
    suite,
    target,
  ];
  await exec(argv, { timeoutMs: buildTimeoutMs, signal });
}

async function configure(root: string): Promise<void> {
  const units = join(root, "etc/systemd/system");
  for (const unit of maskedUnits) await symlink("/dev/null", join(units, unit));
  await mkdir(join(units, "multi-user.target.wants"), { recursive: true });
  for (const unit of guestUnits) {
    await cp(join(guestDirectory, unit), join(units, unit));
    await symlink(`../${unit}`, join(units, "multi-user.target.wants", unit));
  }
  await writeFile(join(root, "etc/hostname"), "tijolo-vm\n");
  await writeFile(join(root, "etc/hosts"), "127.0.0.1 localhost\n127.0.1.1 tijolo-vm\n::1 localhost\n");
  await writeFile(join(root, "etc/fstab"), "LABEL=tijolo-root / ext4 defaults,noatime 0 0\n");
  await writeFile(join(root, "etc/resolv.conf"), "");
}

/** Gives the finished directory its name; when another run was quicker, that one's image stands. */
async function publish(building: string, directory: string): Promise<void> {
  try {
    await rename(building, directory);
  } catch (error) {
    if (!(await exists(directory))) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
