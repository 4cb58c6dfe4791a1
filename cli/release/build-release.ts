/** Builds the archives of a release, its description and its signature. */

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KeyObject } from "node:crypto";
import { z } from "zod";
import {
  manifestName,
  releaseName,
  releaseVersion,
  signatureName,
  type ReleaseArchitecture,
  type ReleaseManifest,
} from "@tijolo/protocol";
import { publicHalf, signRelease } from "@tijolo/protocol/kit";
import { compileSources, filesBelow, renamedSources } from "./compile-sources.ts";
import { nodeEntries } from "./node-archive.ts";
import { packRelease } from "./pack-release.ts";
import { productionPackages } from "./production-packages.ts";
import { readNumbers } from "./read-numbers.ts";
import { runStep } from "./run-step.ts";
import { fileEntry, textEntry, type TreeEntry } from "./tree-entry.ts";

export interface ReleaseRequest {
  /** Folder of the sources, with their packages installed. */
  root: string;
  /** Directory that gets the files; made where it is missing. */
  output: string;
  architectures: readonly ReleaseArchitecture[];
  key: KeyObject;
  /** Seconds since 1970. */
  commitTime: number;
  /** Called with each step as it begins. */
  say: (step: string) => void;
}

/** Resolves with the description of the release, whose files are whole once they have their names. */
export async function buildRelease(request: ReleaseRequest): Promise<ReleaseManifest> {
  const { root, output, architectures, key, commitTime, say } = request;
  const version = await versionOf(root);
  await mkdir(output, { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), "tijolo-release-"));
  try {
    say("panel");
    await runStep(
      [process.execPath, join(root, "central/panel/build.ts"), "--release", "--root", root],
      root,
    );
    say("JavaScript");
    const numbers = await readNumbers(root);
    const common = [
      ...(await compileSources(root, scratch)),
      ...(await panelEntries(root)),
      ...(await ownEntries(root, publicHalf(key))),
      textEntry("numbers.json", `${JSON.stringify(numbers, null, 2)}\n`),
    ];
    const files: ReleaseManifest["files"] = [];
    for (const architecture of architectures) {
      const folder = releaseName(version, architecture);
      say(`${folder}.tar.gz`);
      const entries = [
        ...common,
        ...(await productionPackages(root, { version, architecture })),
        ...(await nodeEntries(root, { architecture, into: scratch })),
      ];
      const name = `${folder}.tar.gz`;
      const draft = join(output, `.${name}.new`);
      const packed = await packRelease(entries, { folder, file: draft, commitTime });
      await rename(draft, join(output, name));
      files.push({ name, architecture, ...packed });
    }
    const manifest = { version, commitTime, ...numbers, files };
    const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    await writeFile(join(output, manifestName), bytes);
    await writeFile(join(output, signatureName), signRelease(bytes, key));
    return manifest;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function versionOf(root: string): Promise<string> {
  const text = await readFile(join(root, "package.json"), "utf8");
  return z.object({ version: releaseVersion }).parse(JSON.parse(text)).version;
}

async function panelEntries(root: string): Promise<TreeEntry[]> {
  const files = await filesBelow(join(root, "panel"));
  return files.map((file) => fileEntry(`panel/${file}`, join(root, "panel", file)));
}

/** Returns what stands at the root of the tree, and the commands. */
async function ownEntries(root: string, publicKey: string): Promise<TreeEntry[]> {
  const command = "cli/bin/tijolo.mjs";
  const entries = [
    fileEntry("LICENSE", join(root, "LICENSE")),
    textEntry("release-key.pub", `${publicKey}\n`),
    ...["nsupdate", "acme-sh"].map((hook) =>
      fileEntry(`central/dns-hooks/${hook}`, join(root, "central/dns-hooks", hook), true),
    ),
    textEntry(command, renamedSources(root, command, await readFile(join(root, command), "utf8")), true),
  ];
  for (const name of ["install", "tijolo", "tijolo-agent"]) {
    const file = join(root, "cli/release/commands", name);
    if (existsSync(file)) entries.push(fileEntry(name === "install" ? name : `bin/${name}`, file, true));
  }
  return entries;
}
