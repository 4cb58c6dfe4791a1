/** Finds the project that a person means: by id, by the folder's own project, or by name. */

import { resolve } from "node:path";
import { id, type Client } from "@tijolo/protocol";
import type { CommandContext } from "../command-context.ts";
import { CommandFailure } from "../command-failure.ts";
import { findProjectId } from "./project-folder.ts";

export interface ProjectConnection {
  client: Client;
  /** Address that the client talks to. */
  url: string;
  projectId: string;
}

/**
 * Returns the client of the account, and the project that is meant. `otherwise` is what else `given` could
 * have been, for when it is no project.
 */
export async function connectProject(
  context: CommandContext,
  given: string | undefined,
  otherwise?: string,
): Promise<ProjectConnection> {
  const connection = await context.connect();
  return { ...connection, projectId: await getProjectId(context, connection, { given, otherwise }) };
}

/**
 * Resolves with the project's id. `given` is the word on the command line: an id, a folder, a name, or
 * nothing for this folder.
 */
export async function getProjectId(
  context: CommandContext,
  connection: { client: Client; url: string },
  { given, otherwise }: { given: string | undefined; otherwise?: string | undefined },
): Promise<string> {
  const { errors } = context.messages;
  const folder = resolve(context.workingDirectory, given ?? ".");
  const found =
    given === undefined
      ? await findProjectId(folder, connection.url)
      : await findNamedProject(context, connection, given);
  if (found !== null) return found;
  const isPath = given === undefined || /[/.]/.test(given);
  const reason = isPath ? errors.noProjectHere(folder) : errors.noSuchProject(given);
  throw new CommandFailure(otherwise === undefined ? reason : `${reason} ${otherwise}`);
}

/**
 * Resolves with the id of the project that the word names, by id, folder or name; null when it names none.
 */
export async function findNamedProject(
  { workingDirectory, signal, messages }: CommandContext,
  { client, url }: { client: Client; url: string },
  word: string,
): Promise<string | null> {
  if (id.safeParse(word).success) return word;
  const ofFolder = await findProjectId(resolve(workingDirectory, word), url);
  if (ofFolder !== null) return ofFolder;
  const { projects } = await client.listProjects({}, { signal });
  const [first, ...others] = projects.filter((project) => project.name === word);
  if (others.length > 0) throw new CommandFailure(messages.errors.manyProjects(word));
  return first?.id ?? null;
}
