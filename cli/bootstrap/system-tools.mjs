/** Lists what a host needs from its system: the file that shows it, and the Debian package that has it. */

import { accessSync, constants } from "node:fs";
import { join } from "node:path";

export const systemTools = [
  { file: "systemd-nspawn", debianPackage: "systemd-container" },
  { file: "mmdebstrap", debianPackage: "mmdebstrap" },
  { file: "nft", debianPackage: "nftables" },
  { file: "ip", debianPackage: "iproute2" },
  { file: "setpriv", debianPackage: "util-linux" },
  { file: "perl", debianPackage: "perl-base" },
  { file: "/etc/ssl/certs/ca-certificates.crt", debianPackage: "ca-certificates" },
  { file: "/usr/share/keyrings/debian-archive-keyring.gpg", debianPackage: "debian-archive-keyring" },
];

/** Tools that the tests compare with or talk to, besides. */
export const testTools = [
  { file: "chromium", debianPackage: "chromium" },
  { file: "docker-registry", debianPackage: "docker-registry" },
  {
    file: "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    debianPackage: "fonts-liberation",
  },
  { file: "openssl", debianPackage: "openssl" },
  { file: "pg_ctlcluster", debianPackage: "postgresql" },
  { file: "skopeo", debianPackage: "skopeo" },
  { file: "umoci", debianPackage: "umoci" },
];

const directories = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/** @returns {{ file: string, debianPackage: string }[]} the tools that are not on this machine */
export function findMissingTools(tools = systemTools) {
  return tools.filter(({ file }) =>
    file.startsWith("/") ? !exists(file, constants.R_OK) : !isCommand(file),
  );
}

/** True when a command is in one of the system's directories, whatever PATH says. */
export function isCommand(name) {
  return directories.some((directory) => exists(join(directory, name), constants.X_OK));
}

function exists(path, mode) {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
