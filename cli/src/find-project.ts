/** Finds the project that a person means: by id, by the folder's own project, or by name. */

import { resolve } from "node:path";
import { id, type Client } from "@tijolo/protocol";
import type { CommandContext } from "./command-context.ts";
import { CommandFailure } from "./command-failure.ts";
import { findProjectId } from "./project-folder.ts";

/** Resolves with its id. `given` is what stands on the command line: an id, a folder, a name, or nothing for this folder. */
export async function getProjectId(
  context: CommandContext,
  connection: { client: Client; url: string },
  given: string | undefined,
): Promise<string> {
  const { errors } = context.messages;
  if (given !== undefined && id.safeParse(given).success) return given;
  const folder = resolve(context.workingDirectory, given ?? ".");
  const ofFolder = await findProjectId(folder, connection.url);
  if (ofFolder !== null) return ofFolder;
  if (given === undefined) throw new CommandFailure(errors.noProjectHere(folder));
  const { projects } = await connection.client.listProjects({}, { signal: context.signal });
  const [first, ...others] = projects.filter((project) => project.name === given);
  if (first === undefined) throw new CommandFailure(/[/.]/.test(given) ? errors.noProjectHere(folder) : errors.noSuchProject(given));
  if (others.length > 0) throw new CommandFailure(errors.manyProjects(given));
  return first.id;
}
