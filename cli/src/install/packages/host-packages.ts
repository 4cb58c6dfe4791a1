/** Installs the Debian packages that a host needs; those that the machine had before are left alone. */

import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { apt, aptInstall } from "./apt-install.ts";
import type { PackageSource } from "./package-source.ts";
import { runProgram } from "../run-program.ts";
import { inParts, type Undo } from "../steps.ts";

/** Maps each package to a program or a file that shows that it is installed. */
const needed: Record<string, string> = {
  "systemd-container": "systemd-nspawn",
  mmdebstrap: "mmdebstrap",
  nftables: "nft",
  iproute2: "ip",
  "wireguard-tools": "wg",
  e2fsprogs: "mkfs.ext4",
  "perl-base": "perl",
  "ca-certificates": "/etc/ssl/certs/ca-certificates.crt",
  "debian-archive-keyring": "/usr/share/keyrings/debian-archive-keyring.gpg",
};
const directories = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
const updateTimeoutMs = 15 * 60_000;

/** Names all packages that a host must have. */
export const neededPackages: readonly string[] = Object.keys(needed);

/** Returns the names of the packages that are missing. */
export async function missingPackages(): Promise<string[]> {
  const found = await Promise.all(Object.values(needed).map(isThere));
  return neededPackages.filter((_, index) => found[index] === false);
}

/** Installs from central's set alone; without one, as the machine's apt has them. */
export async function installPackages(
  packages: readonly string[],
  source: PackageSource | null,
): Promise<Undo | null> {
  if (packages.length === 0) return null;
  return inParts(async (note) => {
    const install = () => aptInstall(["--no-install-recommends", ...packages], note);
    if (source !== null) await source.install(packages, note);
    else
      await install().catch(async () => {
        await runProgram([...apt, "update"], { timeoutMs: updateTimeoutMs });
        await install();
      });
  });
}

async function isThere(file: string): Promise<boolean> {
  const paths = file.startsWith("/") ? [file] : directories.map((directory) => join(directory, file));
  const found = await Promise.all(
    paths.map((path) =>
      access(path, constants.R_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
