/** Finds the archive of Debian that packages are fetched from. */

import { runProgram } from "../run-program.ts";

/** Holds the addresses as they stand in a line of sources.list(5). */
export interface DebianMirror {
  main: string;
  security: string;
}

const suites = /^(?:(?:old)*stable|testing|unstable|sid|bullseye|bookworm|trixie|forky)(-security)?$/;

/** Returns the archive of this machine's apt; null where it has none of Debian, or was never updated. */
export async function findMirror(): Promise<DebianMirror | null> {
  const format = ["--format", "$(RELEASE) $(COMPONENT) $(REPO_URI)"];
  const { stdout } = await runProgram(["apt-get", "indextargets", ...format, "Created-By: Packages"]);
  const found = stdout.split("\n").flatMap((line) => {
    const [suite = "", component, address = ""] = line.split(" ");
    const named = suites.exec(suite);
    return named === null || component !== "main" ? [] : [{ address, isSecurity: named[1] !== undefined }];
  });
  const main = found.find(({ isSecurity }) => !isSecurity)?.address;
  if (main === undefined) return null;
  const security = found.find(({ isSecurity }) => isSecurity)?.address;
  return { main, security: security ?? new URL("../debian-security", withSlash(main)).href };
}

/** Returns the archive below an address that the operator names. */
export function mirrorBelow(address: string): DebianMirror {
  const base = withSlash(address);
  return { main: new URL("debian", base).href, security: new URL("debian-security", base).href };
}

function withSlash(address: string): string {
  return address.endsWith("/") ? address : `${address}/`;
}
