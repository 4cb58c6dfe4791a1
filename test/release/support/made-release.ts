/** Makes a release of these sources, as its makers do. */

import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { buildRelease } from "../../../cli/release/build-release.ts";
import { copySources } from "./copied-sources.ts";

const architecture = process.arch === "arm64" ? "arm64" : "x64";

/** Resolves with the folder of a release of these sources, for this machine's kind of processor. */
export async function makeRelease(directory: string): Promise<string> {
  const [root, output] = [join(directory, "sources"), join(directory, "release")];
  await copySources(root);
  const { privateKey: key } = generateKeyPairSync("ed25519");
  const commitTime = 1_700_000_000;
  await buildRelease({ root, output, architectures: [architecture], key, commitTime, say: () => {} });
  return output;
}
