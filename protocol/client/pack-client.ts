/**
 * Makes the npm package of the client: JavaScript and declarations from the sources, packed as npm publishes
 * it.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const here = import.meta.dirname;
const root = join(here, "..", "..");

/** Resolves with the path of the tarball in `directory`. */
export async function packClient(directory: string): Promise<string> {
  const stage = await mkdtemp(join(tmpdir(), "tijolo-client-"));
  try {
    await run(
      join(root, "node_modules/.bin/tsc"),
      ["--project", here, "--outDir", join(stage, "dist")],
      here,
    );
    for (const name of ["package.json", "README.md"]) await copyFile(join(here, name), join(stage, name));
    await cp(join(root, "LICENSE"), join(stage, "LICENSE"));
    await run("npm", ["pack", "--silent", "--pack-destination", resolve(directory)], stage);
    const { version } = JSON.parse(await readFile(join(here, "package.json"), "utf8")) as { version: string };
    return join(resolve(directory), `tijolo-client-${version}.tgz`);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** Throws with what the program said when it fails. */
async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const said: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => said.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${said.join("")}`);
}
