/** `npm run release`: builds the signed archives of a release. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { releaseArchitectures, type ReleaseArchitecture } from "@tijolo/protocol";
import { fingerprintOf, publicHalf } from "@tijolo/protocol/kit";
import { buildRelease } from "./build-release.ts";
import { runStep } from "./run-step.ts";
import { defaultKeyFile, loadSigningKey } from "./signing-key.ts";

const usage = `Usage: npm run release -- [options]

Builds tijolo-<version>-linux-{x64,arm64}.tar.gz, release.json and its signature. The same commit gives the same bytes.

  --out <directory>   takes the files (default: release)
  --key <file>        the key that signs; made on its first use (default: ~/.config/tijolo/release-key.pem)
  --arch <name>       x64 or arm64 alone
  --help              print this
`;
const root = join(import.meta.dirname, "..", "..");

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: "string", default: "release" },
      key: { type: "string", default: defaultKeyFile(process.env) },
      arch: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(usage);
  const output = resolve(values.out);
  // What cannot be built is refused before a key is made.
  const architectures = architecturesOf(values.arch);
  const secondsOfCommit = await commitTime();
  const { key, isNew } = await loadSigningKey(resolve(values.key));
  if (isNew) console.log(`A new key was made: ${values.key}. Keep a copy of it where only you reach it.`);
  const manifest = await buildRelease({
    root,
    output,
    architectures,
    key,
    commitTime: secondsOfCommit,
    say: (step) => console.log(`▸ ${step}`),
  });
  for (const { name, bytes, sha256 } of manifest.files)
    console.log(`${join(output, name)}  ${(bytes / 1e6).toFixed(1)} MB  ${sha256}`);
  console.log(`Signed by ${fingerprintOf(publicHalf(key))}`);
}

function architecturesOf(name: string | undefined): readonly ReleaseArchitecture[] {
  if (name === undefined) return releaseArchitectures;
  const known = releaseArchitectures.find((architecture) => architecture === name);
  if (known === undefined)
    throw new Error(`--arch must be ${releaseArchitectures.join(" or ")}, not ${name}`);
  return [known];
}

/** Returns the time of the commit, or `SOURCE_DATE_EPOCH` where the sources have no history. */
async function commitTime(): Promise<number> {
  const given = process.env["SOURCE_DATE_EPOCH"];
  if (given !== undefined && /^\d{1,12}$/.test(given)) return Number(given);
  if (!existsSync(join(root, ".git")))
    throw new Error(
      "The sources have no history: set SOURCE_DATE_EPOCH to the time that the files are to have.",
    );
  return Number(await runStep(["git", "log", "-1", "--format=%ct"], root));
}

main().catch((cause: unknown) => {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exitCode = 1;
});
