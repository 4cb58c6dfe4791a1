/**
 * Brings Debian 13's pebble, the ACME server that Let's Encrypt tests clients with, and its challtestsrv:
 * Debian 12's knows no renewal information. apt checks the archive's signature; the second time is a look at
 * a folder.
 */

import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../../agent/src/host/exec.ts";
import { findHostArchive } from "../../../agent/src/images/host-archive.ts";

const suite = "trixie";
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
const tools = join(import.meta.dirname, "..", "..", "..", ".tools");
const folder = join(tools, `pebble-${suite}`);

export interface PebblePrograms {
  pebble: string;
  challengeServer: string;
}

export async function pebblePrograms(): Promise<PebblePrograms> {
  const programs = {
    pebble: join(folder, "usr/bin/pebble"),
    challengeServer: join(folder, "usr/bin/pebble-challtestsrv"),
  };
  const isThere = await stat(programs.pebble).then(
    () => true,
    () => false,
  );
  if (!isThere) await bring();
  return programs;
}

async function bring(): Promise<void> {
  await mkdir(tools, { recursive: true });
  const work = await mkdtemp(join(tools, "pebble-"));
  try {
    const { main } = await findHostArchive();
    for (const name of ["lists/partial", "cache/archives/partial", "state", "tree"])
      await mkdir(join(work, name), { recursive: true });
    await writeFile(join(work, "sources.list"), `deb [signed-by=${keyring}] ${main} ${suite} main\n`);
    await writeFile(join(work, "status"), "");
    const options = [
      `Dir::Etc::SourceList=${join(work, "sources.list")}`,
      "Dir::Etc::SourceParts=-",
      `Dir::State=${join(work, "state")}`,
      `Dir::State::lists=${join(work, "lists")}`,
      `Dir::State::status=${join(work, "status")}`,
      `Dir::Cache=${join(work, "cache")}`,
      "Acquire::Languages=none",
      "APT::Sandbox::User=root",
    ].flatMap((option) => ["-o", option]);
    const apt = (...words: string[]) =>
      exec(["apt-get", ...options, ...words], { cwd: work, timeoutMs: 300_000 });
    await apt("update");
    await apt("download", "pebble");
    const [file] = (await readdir(work)).filter((name) => name.endsWith(".deb"));
    if (file === undefined) throw new Error("apt brought no package of pebble");
    await exec(["dpkg-deb", "--extract", join(work, file), join(work, "tree")]);
    // Another test file may have been quicker.
    await rename(join(work, "tree"), folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
