/** A project for tests of the merge: directories as a host has them, without a worker. */

import { mkdir, mkdtemp, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { pino } from "pino";
import { removeTree } from "../../host/files/trees.ts";
import type { DiskUsed } from "../../disk/project-disks.ts";
import { ReplacedFiles } from "./replaced-files.ts";

export const id = "prj_replaced";
/** A project on a disk of its own, whose versions are merged as its starts do it. */
export class MergedProject {
  readonly directory: string;
  readonly files: ReplacedFiles;
  nowMs = Date.now();
  full: DiskUsed["full"] = null;
  mergedVersion = 0;
  diskMb = 1_024;

  constructor(data: string) {
    this.directory = join(data, "projects", id);
    this.files = new ReplacedFiles({
      dataDirectory: data,
      clock: { now: () => this.nowMs },
      disks: { usage: async () => ({ usedMb: 1, limitMb: 1_024, full: this.full }) },
      logger: pino({ level: "silent" }),
    });
  }

  static async create(context: TestContext): Promise<MergedProject> {
    const data = await mkdtemp(join(tmpdir(), "tijolo-replaced-"));
    context.after(() => removeTree(data));
    const project = new MergedProject(data);
    await mkdir(project.place("disk/app"), { recursive: true });
    return project;
  }

  place(path: string): string {
    return join(this.directory, path);
  }

  /** Writes files below a place of the project. */
  async write(place: string, files: Record<string, string>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(this.place(join(place, name))), { recursive: true });
      await writeFile(this.place(join(place, name)), content);
    }
  }

  async merge(versionNumber: number, installed: readonly string[] = []) {
    const { mergedVersion } = this;
    const code = (number: number) => this.place(`versions/${number}/code`);
    await mkdir(code(versionNumber), { recursive: true });
    const sets = await this.files.merge(id, {
      own: this.place("disk/app"),
      code: code(versionNumber),
      installed,
      versionNumber,
      mergedVersion,
      earlier: mergedVersion === 0 ? undefined : code(mergedVersion),
      diskMb: this.diskMb,
    });
    this.mergedVersion = versionNumber;
    return sets.map(({ versionNumber: number, count, paths }) => ({ number, count, paths }));
  }

  /** Returns every file and link below the place, with its contents; follows no link. */
  async contentsOf(place: string, below = ""): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const entry of await readdir(this.place(join(place, below)), { withFileTypes: true })) {
      const name = join(below, entry.name);
      const path = this.place(join(place, name));
      if (entry.isDirectory()) Object.assign(found, await this.contentsOf(place, name));
      else if (entry.isSymbolicLink()) found[name] = `-> ${await readlink(path)}`;
      else if (entry.isFile()) found[name] = await readFile(path, "utf8");
    }
    return found;
  }
}
