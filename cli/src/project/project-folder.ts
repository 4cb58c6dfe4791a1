/** Stores which project a folder belongs to: `.tijolo/project.json` in it, one id per server. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { id } from "@tijolo/protocol";
import { z } from "zod";

const projectFile = z.object({ projects: z.record(z.string(), id) });

export async function findProjectId(folder: string, serverUrl: string): Promise<string | null> {
  return (await readProjects(folder))[serverUrl] ?? null;
}

export async function keepProjectId(folder: string, serverUrl: string, projectId: string): Promise<void> {
  const projects = { ...(await readProjects(folder)), [serverUrl]: projectId };
  await mkdir(join(folder, ".tijolo"), { recursive: true });
  await writeFile(pathOf(folder), `${JSON.stringify({ projects }, null, 2)}\n`);
}

/** Returns the ids; none when the file is missing or not ours: the next upload writes it anew. */
async function readProjects(folder: string): Promise<Record<string, string>> {
  try {
    return projectFile.parse(JSON.parse(await readFile(pathOf(folder), "utf8"))).projects;
  } catch {
    return {};
  }
}

function pathOf(folder: string): string {
  return join(folder, ".tijolo", "project.json");
}
